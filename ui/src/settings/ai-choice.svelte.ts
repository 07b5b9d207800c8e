// Which AI is being chosen: the maker in view, its key, its models, and whether it works. What the settings page and the
// first start show.

import { asFailure } from '../backend';
import type { AppState } from '../state/app-state.svelte';
import type { Failure, KeyStatus, Maker, MakerCard, NearbyServer, OfferedModel, Settings, Space } from '../protocol';
import { Connection } from './connection.svelte';
import { best, chosenOf, isComplete, isStored, RECOMMENDED, wantsAddress, written, type ChosenModel } from './providers';

export class AiChoice {
  cards: MakerCard[] = $state.raw([]);
  keys: Partial<Record<Maker, KeyStatus>> = $state.raw({});
  nearby: NearbyServer[] = $state.raw([]);
  /** What stands in the fields; null for the demo. */
  draft: ChosenModel | null = $state.raw(null);
  /** What is looked at: it is kept once it is pressed, or once a key is pasted. */
  picked: Maker | 'demo' = $state.raw('demo');
  key: KeyStatus | null = $state.raw(null);
  offered: OfferedModel[] | null = $state.raw(null);
  /** Its key and its models are asked for. */
  looking = $state(false);
  /** A key is on its way into the keychain. */
  saving = $state(false);
  /** Why the key could not be kept. */
  keyFailure: Failure | null = $state.raw(null);
  readonly connection: Connection;
  /** What was once chosen of each maker, with its server and its price, for coming back to it. */
  readonly #known: Partial<Record<Maker, ChosenModel>> = {};
  /** Counts what was chosen: an answer to an earlier choice is not shown. */
  #turn = 0;

  constructor(
    readonly app: AppState,
    settings: Settings,
    /** Nothing but demo phones: the demo is as good as any. */
    demoWillDo: boolean,
    /** What is chosen is tried by itself as soon as it is whole: where nothing goes on before it works. */
    readonly triesItself = false,
  ) {
    this.connection = new Connection(app.backend);
    const chosen = chosenOf(settings.provider);
    if (chosen) this.#take(chosen);
    this.picked = this.draft?.maker ?? (demoWillDo ? 'demo' : RECOMMENDED);
  }

  get card(): MakerCard | undefined {
    return this.cards.find((one) => one.maker === this.picked);
  }

  /** What is looked at is what is kept. */
  get isKept(): boolean {
    return this.draft !== null && this.draft.maker === this.picked;
  }

  get isComplete(): boolean {
    return this.isKept && this.draft !== null && isComplete(this.draft, this.card);
  }

  /** A request can be made: there is a key, or none is needed. */
  get isReady(): boolean {
    return this.isKept && (this.draft?.maker === 'custom' || this.card?.needsKey === false || isStored(this.key));
  }

  /** Where it is has to be told first: a key belongs to an address. */
  get isPlaced(): boolean {
    const { card } = this;
    return !card || !wantsAddress(card) || (this.draft?.baseUrl ?? '').trim() !== '';
  }

  /** Nobody but the person knows what these cost. */
  get isPricedByPerson(): boolean {
    return this.picked === 'custom' || this.picked === 'azure';
  }

  /** The server on this computer that is looked at, where it runs. */
  get here(): NearbyServer | undefined {
    return this.nearby.find((server) => server.maker === this.picked);
  }

  /** It runs on this computer, when it runs. */
  get isAway(): boolean {
    return this.card?.isHere === true && this.here === undefined;
  }

  get model(): OfferedModel | undefined {
    return this.offered?.find((one) => one.id === this.draft?.model);
  }

  open(): void {
    const makers = this.app.call(this.app.backend.makers()).then((list) => (this.cards = list ?? []));
    // Whether a key is needed stands on its maker's card.
    void Promise.all([makers, this.#lookAround(), this.refresh()]).then(() => this.#tryChosen());
  }

  async #tryChosen(): Promise<void> {
    const { connection } = this;
    const isTried = connection.testing || connection.result !== null;
    if (this.triesItself && !isTried && !this.isAway && this.#lists) await this.test();
  }

  /** A server of one's own that lists no models is tried when the person says so: the name may not be typed yet. */
  get #lists(): boolean {
    return this.model !== undefined || !this.isPricedByPerson;
  }

  async #lookAround(): Promise<void> {
    this.nearby = (await this.app.call(this.app.backend.serversNearby())) ?? [];
  }

  async lookAgain(): Promise<void> {
    await this.#lookAround();
    await this.refresh();
    await this.#tryChosen();
  }

  /** Asks for the keys, and for the models where a maker would tell them. */
  async refresh(): Promise<void> {
    this.#turn += 1;
    const mine = this.#turn;
    this.looking = true;
    await this.#refresh(mine);
    if (mine === this.#turn) this.looking = false;
  }

  async #refresh(mine: number): Promise<void> {
    const [one, every] = await Promise.all([
      this.app.call(this.app.backend.keyStatus()),
      this.app.call(this.app.backend.makerKeys()),
    ]);
    if (mine !== this.#turn) return;
    this.key = one ?? null;
    this.keys = every ?? {};
    await this.#list(mine);
  }

  async #list(mine: number): Promise<void> {
    this.offered = null;
    if (!this.isReady || !this.isPlaced) return;
    const found = await this.app.backend.offeredModels().catch((error: unknown) => asFailure(error));
    if (mine !== this.#turn) return;
    if (!Array.isArray(found)) {
      // Another trouble than with the key leaves the name to be typed: no need to say more than the test will.
      if (found.code === 'model_key') this.connection.fail(found);
      return;
    }
    this.offered = found;
    const first = best(found);
    if (first && this.draft?.model === '') this.#change({ model: first.id });
  }

  change(part: Partial<ChosenModel>): void {
    this.#change(part);
    // Of a server of one's own the key may still be missing.
    if (part.model !== undefined && !this.isPricedByPerson) void this.#tryChosen();
  }

  #change(part: Partial<ChosenModel>): void {
    if (this.draft === null) return;
    const isOther = part.model !== undefined && part.model !== this.draft.model;
    // What was found out of one model, how it answers and what it costs, says nothing of another.
    const { points, words, price, ...rest } = this.draft;
    const kept = isOther ? (this.isPricedByPerson && price ? { ...rest, price } : rest) : this.draft;
    this.#take({ ...kept, ...part });
    if (isOther) this.connection.forget();
    void this.keep();
  }

  #take(chosen: ChosenModel): void {
    this.draft = chosen;
    this.#known[chosen.maker] = chosen;
  }

  readonly keep = (): Promise<void> =>
    this.draft === null
      ? Promise.resolve()
      : this.app.patch({ provider: { kind: 'model', ...written(this.draft, this.card) } });

  async choose(maker: Maker): Promise<void> {
    await this.#choose(maker);
    // Another may be chosen meanwhile.
    if (this.picked === maker) await this.#tryChosen();
  }

  async #choose(maker: Maker): Promise<void> {
    this.picked = maker;
    this.looking = true;
    this.draft = this.#known[maker] ?? { maker, model: '' };
    this.key = null;
    this.keyFailure = null;
    this.offered = null;
    this.connection.forget();
    this.#turn += 1;
    await this.keep();
    await this.refresh();
  }

  useDemo(): void {
    this.picked = 'demo';
    this.draft = null;
    this.looking = false;
    this.connection.forget();
    this.#turn += 1;
    void this.app.patch({ provider: { kind: 'demo' } });
  }

  /** The server on this computer, with the model of its list that suits phones best. */
  async use(server: NearbyServer): Promise<void> {
    const first = best(server.models);
    const known = this.#known[server.maker];
    if (first && !known?.model) this.#known[server.maker] = { ...known, maker: server.maker, model: first.id };
    await this.#choose(server.maker);
    await this.test();
  }

  async address(value: string): Promise<void> {
    // What was pasted is taken at once, and again when its field is left.
    if (this.draft === null || value === (this.draft.baseUrl ?? '')) return;
    this.#take({ ...this.draft, baseUrl: value });
    this.key = null;
    this.connection.forget();
    await this.keep();
    await this.refresh();
  }

  /** A key that was pasted or typed: kept, then tried. */
  async take(key: string): Promise<void> {
    const maker = this.picked;
    this.saving = true;
    this.keyFailure = null;
    this.connection.forget();
    try {
      if (!this.isKept && maker !== 'demo') await this.#choose(maker);
      // Another was chosen meanwhile: it would be kept as that one's.
      if (this.picked !== maker) {
        this.saving = false;
        return;
      }
      await this.app.backend.saveKey(key);
    } catch (error) {
      this.keyFailure = asFailure(error);
    }
    await this.refresh();
    this.saving = false;
    if (this.#lists && this.keyFailure === null && this.connection.failure === null) await this.test();
  }

  async forgetKey(): Promise<void> {
    this.keyFailure = null;
    this.connection.forget();
    try {
      await this.app.backend.forgetKey();
    } catch (error) {
      this.keyFailure = asFailure(error);
    }
    await this.refresh();
  }

  /** Tried as it stands. A model that counts its points otherwise than was thought is understood from then on. */
  async test(): Promise<void> {
    if (!this.isComplete || !this.isReady) return;
    await this.connection.test(this.keep);
    const { result } = this.connection;
    if (result && 'ms' in result && result.aim.aim === 'otherwise') await this.countBy(result.aim.space);
  }

  async countBy(points: Space): Promise<void> {
    if (this.draft === null || this.draft.points === points) return;
    this.#take({ ...this.draft, points });
    await this.connection.test(this.keep);
  }
}
