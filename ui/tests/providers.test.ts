import { cleanup, fireEvent, render, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MODELS } from '../src/fake/makers';
import SettingsPage from '../src/app/SettingsPage.svelte';
import type { KeyStatus, Maker, MakerCard, OfferedModel, Provider } from '../src/protocol';
import { AiChoice } from '../src/settings/ai-choice.svelte';
import { cardNote, chosenOf, isComplete, menu, priceHint, RECOMMENDED, written, type ChosenModel } from '../src/settings/providers';
import { say } from '../src/words/words';
import { has, part, settle, stubApp, stubBackend, type Stub } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const STORED: KeyStatus = { key: 'stored', endsIn: '7Qx2' };

async function open(change: (backend: Stub) => void = () => undefined, real = false, provider?: Provider) {
  const backend = stubBackend();
  change(backend);
  const harness = stubApp('one', backend);
  // Its one phone is a demo, unless a real one is wanted.
  if (real) harness.app.view = { ...harness.app.view, phones: harness.app.view.phones.map((phone) => ({ ...phone, demo: false })) };
  if (provider) harness.app.view = { ...harness.app.view, settings: { ...harness.app.view.settings!, provider } };
  harness.app.route = { page: 'settings' };
  render(SettingsPage, { context: harness.context });
  await settle();
  return harness;
}

const radio = (name: string): HTMLElement => within(part(name)).getByRole('radio');
const kept = (backend: Stub): Provider | undefined => backend.patchSettings.mock.lastCall?.[0].provider;

async function type(name: string, value: string): Promise<void> {
  await fireEvent.input(part(name), { target: { value } });
  await fireEvent.change(part(name));
  await settle();
}

describe('the AI’s cards', () => {
  it('are one that is proposed, and the others behind one line', async () => {
    await open();
    const cards = [...document.querySelectorAll('[data-part^="provider-"]:has(input[type=radio])')].map((card) => card.textContent);
    expect(cards.map((text) => text?.trim().replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^A Anthropic RecommendedIt reads phone screens/),
      'O OpenAINeeds an API key',
      'G GoogleNeeds an API key',
      'R OpenRouterMany models, one key',
      'L OllamaFree, on this computer',
      '+ CustomYour own server',
      'Demo AIFree, for the demo phone',
    ]);
    expect(has('provider-mistral')).toBe(false);
    await fireEvent.click(part('provider-more'));
    expect(has('provider-mistral')).toBe(true);
    expect(has('provider-more')).toBe(false);
  });

  it('begin with the proposed one where there is a real phone, and keep nothing before a key is there', async () => {
    const { backend } = await open(undefined, true);
    expect((radio('provider-anthropic') as HTMLInputElement).checked).toBe(true);
    expect(has('provider-openai')).toBe(false);
    expect(part('key-steps').querySelectorAll('li')).toHaveLength(3);
    await fireEvent.click(part('key-where'));
    expect(backend.openKeyPage).toHaveBeenCalledExactlyOnceWith('anthropic');
    expect(backend.patchSettings).not.toHaveBeenCalled();
    await fireEvent.click(part('provider-others'));
    expect(has('provider-openai')).toBe(true);
  });

  const paste = async (value: string, into = 'key-field'): Promise<void> => {
    const field = part(into) as HTMLInputElement;
    field.value = value;
    await fireEvent(field, new InputEvent('input', { inputType: 'insertFromPaste', bubbles: true }));
    await settle();
  };

  it('keep and try a key as it is pasted, with the model that suits phones best', async () => {
    const { backend } = await open((backend) => backend.offeredModels.mockResolvedValue([{ id: 'newest' }, ...MODELS]), true);
    backend.saveKey.mockImplementation(async () => void backend.keyStatus.mockResolvedValue(STORED));
    await paste(' sk-ant-7Qx2 ');
    await settle();
    expect(backend.saveKey).toHaveBeenCalledExactlyOnceWith('sk-ant-7Qx2');
    expect(document.body.innerHTML).not.toContain('sk-ant');
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'anthropic', model: 'large-1' });
    expect(backend.tryModel).toHaveBeenCalledOnce();
    expect(part('test-result').textContent).toContain('It works.');
    expect(part('price-hint').textContent).toBe('About 2 cents a task');
    expect(has('key-steps')).toBe(false);
  });

  it('say what is wrong with a pasted key, beside its field', async () => {
    const { backend } = await open(undefined, true);
    backend.saveKey.mockRejectedValue({ code: 'keychain_refused' });
    await paste('sk-1');
    expect(part('key-state').textContent).toContain('safe place for passwords is locked');
    expect(backend.tryModel).not.toHaveBeenCalled();
  });

  it('offer a model that runs on this computer, with the one of its list for phones', async () => {
    const models = [{ id: 'words' }, { id: 'eyes', picture: true, best: true }];
    const { backend } = await open((backend) => {
      backend.serversNearby.mockResolvedValue([{ maker: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', models }]);
      backend.offeredModels.mockResolvedValue(models);
    }, true);
    expect(part('local-offer').textContent).toContain('Ollama is running on this computer');
    await fireEvent.click(part('local-use'));
    await settle();
    await settle();
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'ollama', model: 'eyes' });
    expect(backend.tryModel).toHaveBeenCalledOnce();
    expect(has('local-offer')).toBe(false);
  });

  it('keep a maker at once, and ask for its models when there is a key', async () => {
    const { backend } = await open((backend) => backend.keyStatus.mockResolvedValue(STORED));
    backend.offeredModels.mockResolvedValue(MODELS);
    await fireEvent.click(radio('provider-anthropic'));
    await settle();
    expect(backend.patchSettings.mock.calls[0]?.[0]).toEqual({
      provider: { kind: 'model', maker: 'anthropic', model: '' },
    });
    // The maker's first model is taken, so that there is one.
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'anthropic', model: 'large-1' });
    expect(part('price-hint').textContent).toBe('About 2 cents a task');
    await fireEvent.change(part('provider-model'), { target: { value: 'small-1' } });
    await settle();
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'anthropic', model: 'small-1' });
    expect(part('price-hint').textContent).toBe('Less than a cent a task');
  });

  it('keep no key for a maker that was chosen after it was pasted', async () => {
    const { app, backend } = stubApp('phones');
    const ai = new AiChoice(app, { ...app.view.settings!, provider: { kind: 'demo' } }, false);
    const pasted = ai.take('sk-pasted');
    expect([ai.picked, ai.saving]).toEqual([RECOMMENDED, true]);
    const other = ai.choose('openai');
    await Promise.all([pasted, other]);
    expect(backend.saveKey).not.toHaveBeenCalled();
    expect([ai.picked, ai.saving]).toEqual(['openai', false]);
  });

  it('take another price than the known one, for this model alone', async () => {
    const { backend } = await open((backend) => {
      backend.keyStatus.mockResolvedValue(STORED);
      backend.offeredModels.mockResolvedValue(MODELS);
    });
    await fireEvent.click(radio('provider-anthropic'));
    await settle();
    expect(part('prices').textContent).toContain('as published on November 1, 2026');
    expect((part('price-input') as HTMLInputElement).value).toBe('3');
    expect(has('price-known')).toBe(false);
    await type('price-output', '12');
    // What is kept still costs what it did.
    const cheaper = { input: 3, cachedInput: 0.3, output: 12 };
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'anthropic', model: 'large-1', price: cheaper });
    expect(part('price-hint').textContent).toBe('Using the prices you entered');
    await type('price-input', '2');
    expect(kept(backend)).toHaveProperty('price', { input: 2, output: 12 });
    await fireEvent.click(part('price-known'));
    await settle();
    expect(kept(backend)).not.toHaveProperty('price');
    expect((part('price-output') as HTMLInputElement).value).toBe('15');
    await type('price-output', '12');
    await fireEvent.change(part('provider-model'), { target: { value: 'small-1' } });
    await settle();
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'anthropic', model: 'small-1' });
  });

  it('ask a model in the format it was trained on where the person says so, for this model alone', async () => {
    const { backend } = await open((backend) => {
      backend.keyStatus.mockResolvedValue(STORED);
      backend.offeredModels.mockResolvedValue(MODELS);
    });
    await fireEvent.click(radio('provider-anthropic'));
    await settle();
    const menu = part('ai-schema') as HTMLSelectElement;
    expect((part('ai-advanced') as HTMLDetailsElement).open).toBe(false);
    expect(within(menu).getAllByRole('option', { hidden: true }).map((one) => one.textContent)).toMatchInlineSnapshot(`
      [
        "Automatic",
        "Hermes (computer_use)",
        "OmniMCP",
        "Qwen-VL, GUI-Owl, MAI-UI (mobile_use)",
        "AutoGLM-Phone",
        "CogAgent",
        "UI-TARS",
        "UI-Venus 1.5",
        "UI-Venus 2",
        "Step-GUI, GELab-Zero",
        "PhoneBuddy",
      ]
    `);
    for (const words of ['hermes', 'omnimcp']) {
      await fireEvent.change(menu, { target: { value: words } });
      await settle();
      expect(kept(backend)).toEqual({ kind: 'model', maker: 'anthropic', model: 'large-1', words });
    }
    await fireEvent.change(menu, { target: { value: '' } });
    await settle();
    expect(kept(backend)).not.toHaveProperty('words');
    await fireEvent.change(menu, { target: { value: 'hermes' } });
    await fireEvent.change(part('provider-model'), { target: { value: 'small-1' } });
    await settle();
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'anthropic', model: 'small-1' });
    expect((part('ai-schema') as HTMLSelectElement).value).toBe('');
  });

  it('ask for no models while a key is missing', async () => {
    const { backend } = await open();
    await fireEvent.click(radio('provider-openai'));
    await settle();
    expect(backend.offeredModels).not.toHaveBeenCalled();
    await fireEvent.click(part('key-where'));
    expect(backend.openKeyPage).toHaveBeenCalledExactlyOnceWith('openai');
    // Once it is there, they are asked for.
    backend.keyStatus.mockResolvedValue(STORED);
    await fireEvent.input(part('key-field'), { target: { value: 'sk-1' } });
    await fireEvent.submit(part('key'));
    await settle();
    expect(backend.offeredModels).toHaveBeenCalledOnce();
  });

  it('let a name be typed where the maker’s list cannot be had', async () => {
    const { backend } = await open((backend) => {
      backend.keyStatus.mockResolvedValue(STORED);
      backend.offeredModels.mockRejectedValue({ code: 'model_offline' });
    });
    await fireEvent.click(radio('provider-google'));
    await settle();
    expect(part('provider-model').tagName).toBe('INPUT');
    await type('provider-model', ' gem ');
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'google', model: 'gem' });
  });

  it('come back to a maker with the model it had', async () => {
    const { backend } = await open((backend) => {
      backend.keyStatus.mockResolvedValue(STORED);
      backend.offeredModels.mockRejectedValue({ code: 'model_offline' });
    });
    await fireEvent.click(radio('provider-google'));
    await settle();
    await type('provider-model', 'gem');
    await fireEvent.click(radio('provider-openai'));
    await settle();
    await fireEvent.click(radio('provider-google'));
    await settle();
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'google', model: 'gem' });
  });

  it.each<[string, Provider]>([
    ['a server of one’s own', { kind: 'model', maker: 'custom', model: 'small', baseUrl: 'http://127.0.0.1:9/v1', price: { input: 1.5, output: 6 } }],
    ['a model asked in another format', { kind: 'model', maker: 'openai', model: 'gem', words: 'hermes' }],
    ['a price of one’s own', { kind: 'model', maker: 'google', model: 'gem', price: { input: 3, output: 12 } }],
    ['points counted otherwise', { kind: 'model', maker: 'openrouter', model: 'gem', points: 'picture' }],
  ])('come back to %s as it was kept, after others were looked at', async (_, provider) => {
    const { backend } = await open((backend) => backend.offeredModels.mockRejectedValue({ code: 'model_offline' }), false, provider);
    for (const other of ['provider-anthropic', 'provider-ollama', 'provider-demo']) {
      await fireEvent.click(radio(other));
      await settle();
    }
    expect(kept(backend)).toEqual({ kind: 'demo' });
    await fireEvent.click(radio(`provider-${provider.kind === 'model' ? provider.maker : 'demo'}`));
    await settle();
    expect(kept(backend)).toEqual(provider);
  });

  it('come back to what was changed last, its address and its price too', async () => {
    const { backend } = await open();
    await fireEvent.click(radio('provider-custom'));
    await settle();
    await type('provider-address', 'http://127.0.0.1:9/v1');
    await type('provider-model', 'small');
    await type('price-input', '1.5');
    await type('price-output', '6');
    const own = kept(backend);
    await fireEvent.click(radio('provider-openai'));
    await settle();
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'openai', model: '' });
    await fireEvent.click(radio('provider-custom'));
    await settle();
    expect(kept(backend)).toEqual(own);
    expect((part('provider-address') as HTMLInputElement).value).toBe('http://127.0.0.1:9/v1');
  });

  it('ask for an address before a key where the maker has none of its own', async () => {
    const { backend } = await open();
    await fireEvent.click(radio('provider-custom'));
    await settle();
    expect(has('key')).toBe(false);
    await type('provider-address', ' http://127.0.0.1:9/v1 ');
    expect(has('key')).toBe(true);
    await type('provider-model', 'small');
    expect(kept(backend)).toEqual({
      kind: 'model',
      maker: 'custom',
      baseUrl: 'http://127.0.0.1:9/v1',
      model: 'small',
    });
    // One price alone is none.
    await type('price-input', '1,5');
    expect(kept(backend)).not.toHaveProperty('price');
    await type('price-output', '6');
    expect(kept(backend)).toHaveProperty('price', { input: 1.5, output: 6 });
    // What is read again may cost less, or as much as before.
    await type('price-cached', '0,15');
    expect(kept(backend)).toHaveProperty('price', { input: 1.5, cachedInput: 0.15, output: 6 });
    await type('price-output', '7');
    expect(kept(backend)).toHaveProperty('price', { input: 1.5, cachedInput: 0.15, output: 7 });
    await type('price-cached', '');
    expect(kept(backend)).toHaveProperty('price', { input: 1.5, output: 7 });
    expect((part('price-cached') as HTMLInputElement).value).toBe('');
  });

  it('take a server of one’s own with an address and a key that are pasted, where it lists its models', async () => {
    const { backend } = await open((backend) => backend.offeredModels.mockResolvedValue([{ id: 'words' }, { id: 'eyes', best: true }]));
    backend.saveKey.mockImplementation(async () => void backend.keyStatus.mockResolvedValue(STORED));
    await fireEvent.click(radio('provider-custom'));
    await settle();
    await paste('http://127.0.0.1:9/v1', 'provider-address');
    expect(has('key')).toBe(true);
    await paste('sk-own');
    await settle();
    expect(kept(backend)).toEqual({ kind: 'model', maker: 'custom', baseUrl: 'http://127.0.0.1:9/v1', model: 'eyes' });
    expect(backend.tryModel).toHaveBeenCalledOnce();
    expect(part('test-result').textContent).toContain('It works.');
    // Left, the field says nothing new: the key that was found stays.
    const asked = backend.keyStatus.mock.calls.length;
    await fireEvent.change(part('provider-address'));
    await settle();
    expect(backend.keyStatus.mock.calls.length).toBe(asked);
  });

  it('say whether a server on this computer runs, and look again', async () => {
    const { backend } = await open((backend) =>
      backend.serversNearby.mockResolvedValue([
        { maker: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: [{ id: 'tiny' }, { id: 'small' }] },
      ]),
    );
    await fireEvent.click(radio('provider-ollama'));
    await settle();
    expect(has('key')).toBe(false);
    expect(part('provider-here').textContent?.trim()).toBe('Ollama is running on this computer with 2 models.');
    expect(part('price-hint').textContent).toBe('Free, on this computer');
    await fireEvent.click(part('provider-more'));
    await fireEvent.click(radio('provider-lm_studio'));
    await settle();
    expect(part('provider-here').textContent).toContain('LM Studio isn’t running on this computer');
    backend.serversNearby.mockResolvedValue([{ maker: 'lm_studio', baseUrl: 'http://127.0.0.1:1234/v1', models: [] }]);
    await fireEvent.click(within(part('provider-here')).getByRole('button'));
    await settle();
    expect(part('provider-here').textContent).toContain('LM Studio is running on this computer but has no model yet');
  });

  it('go back to the demo', async () => {
    const { backend } = await open();
    await fireEvent.click(radio('provider-openai'));
    await settle();
    await fireEvent.click(radio('provider-demo'));
    expect(kept(backend)).toEqual({ kind: 'demo' });
    expect(has('test')).toBe(false);
  });

  it('warn and pause as the person says', async () => {
    const { backend } = await open();
    await fireEvent.click(part('limit-warn'));
    expect(backend.patchSettings.mock.lastCall?.[0].limits).toMatchObject({ warnNearLimit: false });
    await fireEvent.click(part('limit-pause'));
    expect(backend.patchSettings.mock.lastCall?.[0].limits).toMatchObject({ pauseAtLimit: false });
  });
});

describe('what is known of a provider', () => {
  const card = (maker: Maker, more: Partial<MakerCard> = {}): MakerCard => ({
    maker,
    name: maker,
    baseUrl: 'https://a.example/v1',
    needsKey: true,
    isHere: false,
    shape: 'chat',
    ...more,
  });
  const ownCard = (): MakerCard => {
    const { baseUrl: _, ...rest } = card('custom', { needsKey: false });
    return rest;
  };

  it.each<[MakerCard, boolean, KeyStatus | undefined, string]>([
    [card('openai'), false, undefined, 'Needs an API key'],
    [card('openai'), false, { key: 'absent' }, 'Needs an API key'],
    [card('openai'), false, STORED, 'Key saved'],
    [card('openai'), true, STORED, 'Connected'],
    [card('openrouter'), false, undefined, 'Many models, one key'],
    [card('ollama', { needsKey: false, isHere: true }), false, undefined, 'Free, on this computer'],
    [ownCard(), false, undefined, 'Your own server'],
  ])('note %#', (one, checked, key, note) => {
    expect(say(cardNote(one, checked, key))).toBe(note);
  });

  it.each<[ChosenModel, MakerCard, boolean, ChosenModel]>([
    [{ maker: 'openai', model: ' m ' }, card('openai'), true, { maker: 'openai', model: 'm' }],
    [{ maker: 'openai', model: ' ' }, card('openai'), false, { maker: 'openai', model: '' }],
    [
      { maker: 'openai', model: 'm', baseUrl: 'https://a.example/v1' },
      card('openai'),
      true,
      { maker: 'openai', model: 'm' },
    ],
    [{ maker: 'custom', model: 'm', baseUrl: ' ' }, ownCard(), false, { maker: 'custom', model: 'm' }],
  ])('complete and written %#', (chosen, one, complete, kept) => {
    expect([isComplete(chosen, one), written(chosen, one)]).toEqual([complete, kept]);
  });

  it('the demo is no model of a maker', () => {
    expect(chosenOf({ kind: 'demo' })).toBeNull();
    const chosen: ChosenModel = { maker: 'custom', baseUrl: 'https://a/v1', model: 'm' };
    expect(chosenOf({ kind: 'model', ...chosen })).toEqual(chosen);
  });

  it('a menu holds the model in use, and is none when it would be endless', () => {
    const many: OfferedModel[] = Array.from({ length: 61 }, (_, n) => ({ id: `m${n}` }));
    expect(menu(null, 'a')).toEqual([]);
    expect(menu(many, 'm1')).toEqual([]);
    expect(menu([{ id: 'a' }], 'b')).toEqual([{ id: 'b' }, { id: 'a' }]);
    expect(menu([{ id: 'a' }], '')).toEqual([{ id: 'a' }]);
  });

  it.each<[OfferedModel | undefined, string | null]>([
    [undefined, null],
    [{ id: 'a' }, 'Price unknown'],
    [{ id: 'a', shortTask: 0.031 }, 'About 3 cents a task'],
    [{ id: 'a', shortTask: 0.012 }, 'About 1 cent a task'],
    [{ id: 'a', shortTask: 0.001 }, 'Less than a cent a task'],
    [{ id: 'a', shortTask: 1.2 }, 'About $1.20 a task'],
  ])('price %#', (offered, hint) => {
    const sentence = priceHint(card('openai'), offered);
    expect(sentence && say(sentence)).toBe(hint);
  });
});
