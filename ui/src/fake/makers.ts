// Some makers and models, for a window without the program behind it.

import type { Maker, MakerCard, OfferedModel } from '../protocol';

const maker = (maker: Maker, name: string, more: Partial<MakerCard> = {}): MakerCard => ({
  maker,
  name,
  baseUrl: `https://${maker}.example/v1`,
  keyPage: `https://${maker}.example/keys`,
  needsKey: true,
  isHere: false,
  shape: 'chat',
  ...more,
});

const own = (one: MakerCard): MakerCard => {
  const { baseUrl: _, keyPage: __, ...rest } = one;
  return rest;
};

const here = (one: Maker, name: string): MakerCard => maker(one, name, { needsKey: false, isHere: true });

export const MAKERS: MakerCard[] = [
  maker('openai', 'OpenAI', { shape: 'responses' }),
  maker('anthropic', 'Anthropic', { shape: 'messages' }),
  maker('google', 'Google', { shape: 'generate_content' }),
  maker('openrouter', 'OpenRouter'),
  here('ollama', 'Ollama'),
  here('lm_studio', 'LM Studio'),
  maker('mistral', 'Mistral'),
  own(maker('azure', 'Azure OpenAI')),
  own(maker('custom', 'Custom', { needsKey: false })),
];

export const MODELS: OfferedModel[] = [
  {
    id: 'large-1',
    name: 'Large',
    picture: true,
    tool: true,
    price: { input: 3, cachedInput: 0.3, output: 15, asOf: '2026-11-01' },
    shortTask: 0.021,
    best: true,
  },
  { id: 'small-1', name: 'Small', picture: true, tool: true, shortTask: 0.002 },
  { id: 'unpriced-1' },
];
