/** The right to do work that one process at a time may do. */
export interface Lease {
  /** False when another process has it by now. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Kind and id of the record that stands for the work. */
export interface Leased {
  readonly kind: string;
  readonly id: string;
}

export interface Leases {
  /**
   * Null while another owner has it. One that is not renewed for `ms` is free. Also for who has it already. To be asked again and again:
   * whether another one still renews it shows from one time to the next.
   */
  take(leased: Leased, owner: string, ms: number): Promise<Lease | null>;
}
