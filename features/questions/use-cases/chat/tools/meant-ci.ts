import type { UseCaseContext } from '#application/access/context.ts';
import type { Binding } from '#domain/topology/binding.ts';
import type { Named } from '#features/questions/rules/chat/reading.ts';

type Asking = Pick<UseCaseContext, 'tenant' | 'ports' | 'caller'>;

const UNKNOWN: Binding = { ci: null, method: null, ambiguous: false };

/** The CIs that texts name, each by id, external key, name, host name or address; none for a caller that may not read CIs. */
export const bindTexts = (
  { tenant, ports, caller }: Asking,
  texts: readonly string[],
): Promise<readonly Binding[]> | readonly Binding[] =>
  texts.length === 0 || !caller.permissions.has('cmdb.read')
    ? texts.map(() => UNKNOWN)
    : ports.matcher.bind(
        tenant,
        texts.map((text) => ({ ciId: text, hostname: text, ipAddress: text, hints: [text] })),
      );

/** The one CI that a text stands for; null when it is none, or several. */
export async function meantCi(asking: Asking, text: string): Promise<Named | null> {
  const [binding] = await bindTexts(asking, [text]);
  return binding?.ci ?? null;
}
