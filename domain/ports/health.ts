/** One dependency or processor as `/readyz?verbose` shows it. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Fine for now, and worth a look. */
  readonly warn?: boolean;
  readonly detail: string;
}

export interface ProcessHealth {
  readonly ready: boolean;
  /** Some check fails, though not one that keeps requests from being answered. */
  readonly degraded?: boolean;
  readonly checks: readonly HealthCheck[];
}
