/** HTTP to the outside. Only hosts that `allow` accepts are called; redirects are not followed; a time-out always applies. */
export interface Outbound {
  get(
    url: string,
    options: { readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<{ status: number; body: string }>;
}
