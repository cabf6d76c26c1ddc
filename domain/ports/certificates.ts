/** Source of the signing certificates of cloud senders. */
export interface Certificates {
  /** The PEM behind an address that was checked before. Throws Fault `unavailable` when it cannot be had, `forbidden` when its host has none. */
  pem(url: string): Promise<string>;
}
