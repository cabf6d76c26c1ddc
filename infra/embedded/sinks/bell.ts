/** Lets one sleeper wake before its time. A ring that nobody heard is heard by the next one. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves at a ring, or after so many ms; infinite: at a ring only. */
  async rung(ms: number): Promise<void> {
    if (!this.#isRung) await this.#sleep(ms);
    this.#isRung = false;
  }

  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
    await promise;
    clearTimeout(timer);
    this.#wake = null;
  }
}
