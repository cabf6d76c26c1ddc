/** Outcomes that wait to be stored at most; more wait at their receivers. */
const MOST = 32;

type Store = () => Promise<void>;

/** Stores outcomes in groups: those that come while a group is stored share the next commit. */
export class Settling {
  readonly #failed: (error: unknown) => void;
  #waiting: Store[] = [];
  #running: Promise<void> | null = null;

  /** `failed` hears of every outcome that was not stored. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Resolves when the next outcome may come. */
  async add(store: Store): Promise<void> {
    this.#waiting.push(store);
    this.#running ??= this.#storeAll().finally(() => {
      this.#running = null;
    });
    while (this.#waiting.length >= MOST) await this.#running;
  }

  /** Resolves when all are stored. */
  async done(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0);
      await Promise.all(group.map((store) => store().catch(this.#failed)));
    }
  }
}
