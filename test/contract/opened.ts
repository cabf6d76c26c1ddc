/** A store opened for one test, and how to give it back. */
export interface Opened<Store> {
  readonly store: Store;
  close(): Promise<void>;
}
