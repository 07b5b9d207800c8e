import { describe, expect, it } from 'vitest';
import type { Action, Amount, Ask, AskKind } from '../src/protocol';
import {
  alwaysSentence,
  codeLength,
  codeSplit,
  mandateSentence,
  questionOf,
  scriptPlace,
  sameAmount,
  spokenLeft,
  stepOf,
  yesLabel,
} from '../src/approval/question';
import { loosened } from '../src/approval/loosening';
import type { Loosening } from '../src/protocol';
import { ended, say } from '../src/words/words';
import { askOf } from './harness';

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
  check({ ...location, choices: ['deny', 'approve', 'give', 'take_over'] }, { place: 'told', pick: null, words: 'open' });
  check({ ...location, choices: ['deny', 'approve', 'take_over'] }, { place: 'own', pick: null, words: 'open' });
  check(askOf('contacts'), { place: null });
});

it('a step nobody understands, and one the AI marks, ask for a yes; the AI’s own cry for help asks for the person', () => {
  const asked = (reason: Ask['reason']): Ask => ({ ...askOf('unknown'), reason, choices: ['deny', 'approve', 'take_over'] });
  check(asked({ by: 'rule', rule: 'unknown' }), {
    question: 'PocketDeck isn’t sure what this does. Let the AI do it?',
    approve: 'Allow once',
    takeOverFirst: false,
    words: 'closed',
  });
  check(asked({ by: 'rule', rule: 'model_flag' }), {
    question: 'The AI says this step is important. Let it continue?',
    approve: 'Allow once',
    takeOverFirst: false,
  });
  check(asked({ by: 'model', capability: 'unknown' }), {
    question: 'Can you help the AI?',
    approve: 'Continue',
    takeOverFirst: true,
    words: 'open',
  });
});

it('a password that would be shown is allowed or not; none is typed for it', () => {
  const shown: Ask = {
    ...askOf('password'),
    reason: { by: 'rule', rule: 'reveals_secret' },
    action: { type: 'tap', target: { text: 'Show password' } },
    choices: ['deny', 'approve', 'take_over', 'more_time'],
  };
  check(shown, { gives: 'yes', approve: 'Show it', question: `Show a hidden password in ${shown.appLabel}?` });
  expect(stepOf(shown)).not.toBeNull();
  expect(stepOf(askOf('password'))).toBeNull();
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

  it('is approved by the amount on the screen when the AI says another', () => {
    check(askOf('payment', 'differs'), {
      trouble: 'differs',
      amount: null,
      amounts: [],
      approve: 'Approve $23.40',
      takeOverFirst: false,
    });
  });

  const { amount: _amount, ...unread } = payment.evidence;
  const { frame: _frame, ...unseen } = unread;

  it('is approved by eye when its amount was not read and its picture is there', () => {
    check({ ...payment, evidence: unread }, { trouble: 'unread', approve: 'Approve payment', takeOverFirst: false });
  });

  it('cannot be approved when its amount was neither read nor is to be seen', () => {
    check({ ...payment, evidence: unseen }, { trouble: 'unread', approve: null, takeOverFirst: true });
  });

  it('has one of several amounts picked, each as the phone writes it, and each once', () => {
    const several = { ...unread, otherAmounts: [usd('$23.40', 2340), usd('$ 230,40', 23040), usd('$23.40', 2340)] };
    const shown = { trouble: 'several', amounts: ['$23.40', '$ 230,40'], approve: 'Approve payment', amount: null };
    check({ ...payment, evidence: several }, shown);
    check(withEvidence({ otherAmounts: [usd('$230.40', 23040)] }), {
      trouble: 'several',
      amounts: ['$230.40'],
      approve: 'Approve payment',
    });
    check({ ...payment, evidence: { ...several, frame: undefined as never } }, { approve: 'Approve payment' });
  });

  it('is named by the amount that was picked', () => {
    const question = questionOf(withEvidence({ otherAmounts: [usd('$230.40', 23040), usd('$2', 200)] }));
    const label = (amount: string | null): string => {
      const sentence = yesLabel(question, { always: false, file: false, amount });
      return sentence ? say(sentence) : '';
    };
    expect([label(null), label('$2')]).toEqual(['Approve payment', 'Approve $2']);
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
    ['code', { gives: 'code', question: 'Enter the code for Northbank', approve: 'Send code to phone' }],
    [
      'password',
      { gives: 'password', question: 'Enter your password for Northbank', approve: 'Send password to phone' },
    ],
    [
      'send',
      {
        gives: 'yes',
        question: 'Send this to Dana Whitlock?',
        approve: 'Send',
        verbatim: expect.stringMatching(/^Running about/),
      },
    ],
    ['delete', { question: 'Delete 34 items?', approve: 'Delete', verbatim: null }],
    ['install', { question: 'Install this app?', approve: 'Install' }],
    ['shell', { question: 'Let the AI run this technical command on the phone?', approve: 'Run once', verbatim: 'dumpsys diskstats' }],
    ['script', { question: 'Let the AI run this script on the phone?', verbatim: expect.stringContaining('wc -l') }],
    [
      'computer_script',
      { gives: 'yes', question: 'Let the AI run this script on this computer?', approve: 'Run once', verbatim: expect.stringContaining('wc -l') },
    ],
    [
      'clipboard',
      { gives: 'clipboard', question: 'Can you paste what you copied on the phone?', approve: 'Give it to the AI', verbatim: null },
    ],
    ['oauth', { question: 'Let the AI sign in to Greenleaf?', approve: 'Let it sign in' }],
    ['permission', { question: '“Allow Maps to access this device’s location?”', approve: 'While using the app' }],
    ['camera', { question: 'Let the AI use the camera?' }],
    ['location', { question: 'Share this phone’s location?', approve: 'Share once' }],
    ['contacts', { question: 'Let the AI look at your contacts?' }],
    ['calendar', { question: 'Let the AI look at your calendar?' }],
    ['files', { question: 'Let the AI look at your files?' }],
    ['notification', { question: 'Let the AI read your notifications?' }],
    ['biometric', { question: 'Can you unlock this with your fingerprint or face on Anna’s Pixel?', approve: 'Done' }],
    ['unreadable', { question: 'PocketDeck couldn’t read this screen. Let the AI tap here?' }],
    ['act', { question: 'Let the AI tap ‘Battery’?', approve: 'Allow once' }],
    ['unknown', { question: 'Can you help the AI?', approve: 'Continue', takeOverFirst: true }],
    ['mandate', { question: 'Do this without asking again?', approve: 'Yes, do this', takeOverFirst: false }],
  ])('%s', (kind, expected) => check(askOf(kind), expected));

  it('for the next step in words', () => {
    const step = stepOf(askOf('install'));
    expect(step && say(step)).toBe('Tap ‘Update all’');
    expect(stepOf(askOf('code'))).toBeNull();
    expect(stepOf(askOf('camera'))).toBeNull();
  });

  it('where a script runs, and for how long', () => {
    const place = (ask: Ask): string => {
      const sentence = scriptPlace(ask);
      return sentence ? say(sentence) : '';
    };
    const here = askOf('computer_script');
    expect(place(here)).toBe('It runs on this computer for up to 120 seconds.');
    const timed = (timeoutSec: number): Ask => ({ ...here, action: { ...here.action, timeoutSec } as Ask['action'] });
    expect(place(timed(1))).toBe('It runs on this computer for up to 1 second.');
    expect(place(timed(9000))).toContain('600 seconds');
    expect(place(askOf('script'))).toBe('');
  });

  it('a command word for word, from the action where the evidence has none', () => {
    const shell = askOf('shell');
    const { text: _, ...evidence } = shell.evidence;
    check({ ...shell, evidence }, { verbatim: 'dumpsys diskstats' });
  });
});

it('a code without a field is done on the phone, and that is a yes', () => {
  const code = askOf('code');
  check({ ...code, choices: ['deny', 'approve', 'take_over', 'more_time'] }, {
    gives: 'yes',
    question: 'Have you entered the code for Northbank?',
    approve: 'Done',
    takeOverFirst: false,
  });
  check({ ...code, choices: ['deny', 'take_over'] }, { approve: null, takeOverFirst: true });
});

it('a permission without a dialog of Android’s own has a yes too', () => {
  const permission = askOf('permission');
  const { allows: _, hint: __, ...evidence } = permission.evidence;
  check({ ...permission, evidence }, { question: 'Let Maps have this permission?', approve: 'Allow once' });
});

describe('the headline names the act', () => {
  const headlineOf = (ask: Ask): string => say(questionOf(ask).question);
  const { recipient: _, ...nobody } = askOf('send').evidence;
  const labelled = (kind: AskKind, label: string): Ask => ({ ...askOf(kind), evidence: { ...askOf(kind).evidence, label } });
  it.each([
    ['to whom', askOf('send'), 'Send this to Dana Whitlock?'],
    ['nobody is read', { ...askOf('send'), evidence: nobody }, 'Send this message?'],
    [
      'a call',
      { ...askOf('send'), reason: { by: 'rule', rule: 'calls' } },
      'Call Dana Whitlock?',
    ],
    ['an incoming call', { ...askOf('send'), reason: { by: 'rule', rule: 'answers' } }, 'Answer this phone call?'],
    ['a button that counts', labelled('delete', 'Delete 1 photo'), 'Delete 1 item?'],
    ['a number that counts nothing', labelled('delete', 'Delete album 2024'), 'Delete this?'],
    ['an element', askOf('act'), 'Let the AI tap ‘Battery’?'],
    [
      'another touch',
      { ...askOf('act'), action: { type: 'long_press', target: {}, durationMs: 800 } as unknown as Action },
      'Let the AI press and hold ‘Battery’?',
    ],
    ['what has no words here', { ...askOf('act'), action: { type: 'finish' } as unknown as Action }, 'Let the AI do this?'],
  ] as [string, Ask, string][])('%s', (_, ask, expected) => expect(headlineOf(ask)).toBe(expected));
});

describe('a yes from now on', () => {
  it('is there where the program offers it, and off at first', () => {
    check(askOf('act'), { mayAlways: true, approve: 'Allow once' });
    for (const kind of ['payment', 'send', 'code', 'password', 'permission', 'install', 'script'] as const) {
      check(askOf(kind), { mayAlways: false });
    }
    const denied = { ...askOf('act'), choices: ['deny' as const, 'approve_always' as const] };
    check(denied, { mayAlways: false, approve: null });
  });

  it('is for one thing on one page, and says so', () => {
    const ask = askOf('act');
    expect(say(alwaysSentence(ask))).toMatch(/^From now on, the AI may use “Battery” on this screen of Settings on Anna’s Pixel/);
    const { label: _, ...evidence } = ask.evidence;
    expect(say(alwaysSentence({ ...ask, evidence }))).toMatch(/exactly this on this screen of Settings/);
    const question = questionOf(ask);
    const label = (always: boolean): string => say(yesLabel(question, { always, file: false, amount: null })!);
    expect([label(false), label(true)]).toEqual(['Allow once', 'Always allow']);
  });
});

it.each([
  [{ kind: 'send', recipient: 'Mum', text: 'on my way', count: 1 }, 'Send Mum “on my way” in Messages'],
  [{ kind: 'send', recipient: 'Mum', text: 'on my way', count: 3 }, 'Send Mum “on my way” in Messages, 3 times'],
  [{ kind: 'send', text: 'Happy new year', count: 1 }, 'Send “Happy new year” in Messages'],
  [{ kind: 'delete', text: 'screenshots', count: 34 }, 'Delete 34 items in Messages: “screenshots”'],
  [{ kind: 'delete', text: 'the old note', count: 1 }, 'Delete “the old note” in Messages'],
] as const)('the deed %j is: %s', (deed, said) => {
  expect(say(mandateSentence({ app: 'com.android.messages', appLabel: 'Messages', ...deed }))).toBe(said);
});

describe('a setting that loosens something asks', () => {
  const rule = { kind: 'send', app: 'a.b', appLabel: 'Mail', since: 1 } as const;
  const element = { signer: 's', version: '1', page: 'p', resourceId: '', role: 'button' as const, label: 'Archive', used: 1 };
  it.each<[Loosening, string, string, string | null]>([
    [{ what: 'level', to: 'when_it_matters' }, 'Stop asking before every step?', 'Ask about important steps', null],
    [{ what: 'level', to: 'hard_stops' }, 'Ask only about money and passwords?', 'Ask only then', null],
    [{ what: 'switch', off: 'sending' }, 'Stop asking before sending messages?', 'Stop asking', null],
    [{ what: 'switch', off: 'deleting' }, 'Stop asking before deleting?', 'Stop asking', null],
    [{ what: 'switch', off: 'installing' }, 'Stop asking before installing?', 'Stop asking', null],
    [{ what: 'switch', off: 'shell' }, 'Stop asking before technical commands?', 'Stop asking', null],
    [{ what: 'scripts' }, 'Let the AI’s scripts run on this computer?', 'Let them run here', null],
    [{ what: 'program', path: '/usr/bin/wc' }, 'Let scripts start this program?', 'Add it', '/usr/bin/wc'],
    [{ what: 'adb', path: '/tmp/adb' }, 'Use a different connection program?', 'Use this one', '/tmp/adb'],
    [{ what: 'allow', rule: { ...rule, element } }, 'Always allow this?', 'Always allow', 'Archive · Mail'],
    [{ what: 'permit', rule }, 'Let the AI do this again?', 'Allow it, but ask me', 'Mail'],
    [{ what: 'ask_less', rule: { kind: 'send', app: 'a.b', appLabel: '', since: 1 } }, 'Stop always asking about this?', 'Stop always asking', 'a.b'],
    [{ what: 'server', address: '192.0.2.1:5037' }, 'Show the phones of another computer?', 'Show them', '192.0.2.1:5037'],
  ])('%j', (change, question, yes, about) => {
    const shown = loosened(change);
    expect([say(shown.question), say(shown.yes), shown.about]).toEqual([question, yes, about]);
    expect(say(shown.body)).toMatch(/^[A-Z].*\.$/);
  });
});

it.each([
  ['Approve this payment?', 'Approve this payment?'],
  ['The AI needs your help', 'The AI needs your help.'],
  ['“Allow Maps to access this device’s location?”', '“Allow Maps to access this device’s location?”'],
  ['Touch the sensor on Anna’s Pixel', 'Touch the sensor on Anna’s Pixel.'],
  ['“Allow”', '“Allow”.'],
  ['', ''],
])('the headline %s ends before the next sentence', (headline, sentence) => expect(ended(headline)).toBe(sentence));

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
