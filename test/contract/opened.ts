/** A store opened for one test, and its release. */
export interface Opened<Store> {
  readonly store: Store;
  close(): Promise<void>;
}
