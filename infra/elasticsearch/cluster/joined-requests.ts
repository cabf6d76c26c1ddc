interface JoinedQuestions {
  readonly questions: readonly unknown[];
  readonly resolve: (answers: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Joins the questions of a kind that are asked in one turn of the event loop into one request. */
export class JoinedRequests {
  readonly #waiting = new Map<string, JoinedQuestions[]>();

  /** `ask` answers in the order of the questions; the first caller's is used for all. */
  ask<Q, A>(kind: string, questions: readonly Q[], ask: (all: readonly Q[]) => Promise<readonly A[]>): Promise<A[]> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(kind) ?? [];
      this.#waiting.set(kind, waiting);
      const asked = { questions, resolve: resolve as JoinedQuestions['resolve'], reject };
      if (waiting.push(asked) === 1) setImmediate(() => this.#flush(kind, ask as Parameters<typeof this.ask>[2]));
    });
  }

  async #flush(kind: string, ask: (all: readonly unknown[]) => Promise<readonly unknown[]>): Promise<void> {
    const taken = this.#waiting.get(kind) ?? [];
    this.#waiting.delete(kind);
    try {
      const answers = await ask(taken.flatMap(({ questions }) => questions));
      let at = 0;
      for (const { questions, resolve } of taken) {
        resolve(answers.slice(at, at + questions.length));
        at += questions.length;
      }
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }
}
