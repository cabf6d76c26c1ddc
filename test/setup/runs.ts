/** How many runs a property takes: few beside other tests, many in `npm run test:long`. */
export const runs = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  // biome-ignore lint/style/noProcessEnv: the only switch between the two.
  process.env.FAULTLINE_LONG === undefined ? short : long;
