/** Work that is asked for again and again, and never runs twice at once: what is asked for meanwhile makes it go round once more. */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #isStopping = false;
  #again = false;
  #running: Promise<void> | null = null;

  /** `work` goes round as long as `goesRound` says so. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Whether another round is asked for; taken with the asking. */
  goesRound(): boolean {
    if (!this.#again || this.#isStopping) return false;
    this.#again = false;
    return true;
  }

  ask(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Resolves when nothing is left to do that this process knows of. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.idle();
  }
}
