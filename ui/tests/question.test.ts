import { describe, expect, it } from 'vitest';
import type { Amount, Ask } from '../src/protocol';
import { codeLength, codeSplit, questionOf, scriptPlace, sameAmount, spokenLeft, stepOf } from '../src/approval/question';
import { say } from '../src/words';
import { askOf } from './stage';

const usd = (text: string, minor?: number): Amount => ({
  text,
  currency: '$',
  ...(minor === undefined ? {} : { minor }),
});

/** A question, and what its window shows. */
function check(ask: Ask, expected: Record<string, unknown>): void {
  const { approve, question, verbatim, ...rest } = questionOf(ask);
  expect({
    ...rest,
    approve: approve && say(approve),
    question: say(question),
    verbatim: verbatim?.text ?? null,
  }).toMatchObject(expected);
}

it('a place is told to an emulator, and explained on any other phone', () => {
  const location = askOf('location');
  check({ ...location, choices: ['deny', 'approve', 'give', 'take_over'] }, { place: 'told', pick: null, takesWords: true });
  check({ ...location, choices: ['deny', 'approve', 'take_over'] }, { place: 'own', pick: null, takesWords: true });
  check(askOf('contacts'), { place: null });
});

it('a step nobody understands, and one the AI marks, ask for a yes; the AI’s own cry for help asks for the person', () => {
  const asked = (reason: Ask['reason']): Ask => ({ ...askOf('unknown'), reason, choices: ['deny', 'approve', 'take_over'] });
  check(asked({ by: 'rule', rule: 'unread_decision' }), {
    question: 'PocketDeck cannot tell what this does. Let the AI do it?',
    approve: 'Allow once',
    takeOverFirst: false,
    takesWords: false,
  });
  check(asked({ by: 'rule', rule: 'model_flag' }), {
    question: 'The AI says that this step matters. Let it do it?',
    approve: 'Allow once',
    takeOverFirst: false,
  });
  check(asked({ by: 'model', capability: 'unknown' }), {
    question: 'The AI needs your help',
    approve: 'Continue',
    takeOverFirst: true,
    takesWords: true,
  });
});

describe('a payment', () => {
  const payment = askOf('payment');
  const withEvidence = (more: Partial<Ask['evidence']>): Ask => ({
    ...payment,
    evidence: { ...payment.evidence, ...more },
  });

  it('is approved by its amount', () => {
    check(payment, {
      amount: '$23.40',
      approve: 'Approve $23.40',
      trouble: null,
      takeOverFirst: false,
      mayTakeOver: true,
    });
  });

  it('is approved when the AI says the same in other letters', () => {
    check(
      { ...payment, claim: { says: '', amount: usd('$ 23,40', 2340) } },
      { trouble: null, approve: 'Approve $23.40' },
    );
  });

  it('cannot be approved when the AI says another amount', () => {
    check(askOf('payment', 'differs'), { trouble: 'differs', amount: null, approve: null, takeOverFirst: true });
  });

  it('cannot be approved when its amount was not read', () => {
    const { amount: _, ...evidence } = payment.evidence;
    check({ ...payment, evidence }, { trouble: 'unread', approve: null, takeOverFirst: true });
  });

  it('cannot be approved when another amount could be meant', () => {
    check(withEvidence({ otherAmounts: [usd('$230.40', 23040)] }), { trouble: 'several', approve: null });
  });

  it('cannot be approved when the backend does not offer it', () => {
    check({ ...payment, choices: ['deny', 'take_over'] }, { approve: null, takeOverFirst: true, mayExtend: false });
  });

  it('keeps Deny alone when nothing else is offered', () => {
    check({ ...payment, choices: ['deny'] }, { approve: null, takeOverFirst: false, mayTakeOver: false });
  });
});

it.each([
  [usd('$23.40', 2340), usd('23.40 $', 2340), true],
  [usd('$23.40', 2340), usd('$23.41', 2341), false],
  [usd('$23.40', 2340), { text: '€23.40', minor: 2340, currency: '€' }, false],
  [usd('1.234'), usd('1.234'), true],
  [usd('1.234'), usd('1 234'), false],
  [usd('$ 5'), usd('$5', 500), true],
])('%j and %j are the same amount: %s', (a, b, same) => expect(sameAmount(a, b)).toBe(same));

describe('the window asks', () => {
  it.each<[Ask['kind'], Record<string, unknown>]>([
    ['code', { gives: 'code', question: 'Type the code from Northbank', approve: 'Send code to phone' }],
    [
      'password',
      { gives: 'password', question: 'Type your password for Northbank', approve: 'Send password to phone' },
    ],
    [
      'send',
      {
        gives: 'yes',
        question: 'Send this message?',
        approve: 'Send it',
        verbatim: expect.stringMatching(/^Running about/),
      },
    ],
    ['delete', { question: 'Delete this?', approve: 'Delete it', verbatim: null }],
    ['install', { question: 'Install this app?', approve: 'Install it' }],
    ['shell', { question: 'Run this command on the phone?', approve: 'Run it once', verbatim: 'dumpsys diskstats' }],
    ['script', { question: 'Run this script on the phone?', verbatim: expect.stringContaining('wc -l') }],
    [
      'computer_script',
      { gives: 'yes', question: 'Run this script on this computer?', approve: 'Run it once', verbatim: expect.stringContaining('wc -l') },
    ],
    [
      'clipboard',
      { gives: 'clipboard', question: 'Paste what the phone has copied', approve: 'Give it to the AI', verbatim: null },
    ],
    ['oauth', { question: 'Let the AI sign in to Greenleaf?', approve: 'Let it sign in' }],
    ['permission', { question: '“Allow Maps to access this device’s location?”', approve: 'Allow while the app is used' }],
    ['camera', { question: 'Let the AI use the camera?' }],
    ['location', { question: 'Share where this phone is?', approve: 'Share once' }],
    ['contacts', { question: 'Let the AI look at your contacts?' }],
    ['calendar', { question: 'Let the AI look at your calendar?' }],
    ['files', { question: 'Let the AI look at your files?' }],
    ['notification', { question: 'Let the AI read notifications?' }],
    ['biometric', { question: 'Touch the sensor on Anna’s Pixel', approve: 'I’ve done it' }],
    ['unreadable', { question: 'Let the AI touch a screen nobody could read?' }],
    ['act', { question: 'Let the AI do this?', approve: 'Allow once' }],
    ['unknown', { question: 'The AI needs your help', approve: 'Continue', takeOverFirst: true }],
  ])('%s', (kind, expected) => check(askOf(kind), expected));

  it('for the next step in words', () => {
    const step = stepOf(askOf('install'));
    expect(step && say(step)).toBe('Tapping ‘Update all’');
    expect(stepOf(askOf('code'))).toBeNull();
    expect(stepOf(askOf('camera'))).toBeNull();
  });

  it('where a script runs, and for how long', () => {
    const place = (ask: Ask): string => {
      const sentence = scriptPlace(ask);
      return sentence ? say(sentence) : '';
    };
    const here = askOf('computer_script');
    expect(place(here)).toBe('It runs on this computer, for 120 seconds at most.');
    const timed = (timeoutSec: number): Ask => ({ ...here, action: { ...here.action, timeoutSec } as Ask['action'] });
    expect(place(timed(1))).toBe('It runs on this computer, for 1 second at most.');
    expect(place(timed(9000))).toContain('600 seconds');
    expect(place(askOf('script'))).toBe('');
  });

  it('a command word for word, from the action where the evidence has none', () => {
    const shell = askOf('shell');
    const { text: _, ...evidence } = shell.evidence;
    check({ ...shell, evidence }, { verbatim: 'dumpsys diskstats' });
  });
});

it.each([
  [6, 6, 3],
  [4, 4, null],
  [5, 5, null],
  [8, 8, 4],
  [10, 10, 5],
  [undefined, 6, 3],
  [3, 6, 3],
  [99, 6, 3],
])('a code of %s characters has %d cells, parted after %s', (said, cells, split) => {
  const code = askOf('code');
  const { codeLength: _, ...evidence } = code.evidence;
  const ask = { ...code, evidence: said === undefined ? evidence : { ...evidence, codeLength: said } };
  expect(codeLength(ask)).toBe(cells);
  expect(codeSplit(cells)).toBe(split);
});

it('the time left is spoken at a minute, half a minute and ten seconds, once each', () => {
  const spoken: string[] = [];
  let before = Number.POSITIVE_INFINITY;
  for (let left = 65_000; left >= 0; left -= 1000) {
    const sentence = spokenLeft(before, left);
    if (sentence) spoken.push(`${left / 1000}: ${say(sentence)}`);
    before = left;
  }
  expect(spoken).toEqual(['60: One minute left', '30: 30 seconds left', '10: 10 seconds left']);
});
