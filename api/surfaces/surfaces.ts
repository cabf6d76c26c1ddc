import { ai } from './ai.ts';
import type { SurfaceName } from './endpoint.ts';
import { events } from './events.ts';
import { ops } from './ops.ts';
import { platform } from './platform.ts';
import type { Surface } from './surface.ts';
import { v1 } from './v1.ts';

export const SURFACES: Readonly<Record<SurfaceName, Surface>> = { ai, platform, v1, events, ops };

/** The dialect of a path that no endpoint has; unknown paths under /api speak the general one. */
export function surfaceOf(path: string): Surface {
  const under = ({ prefix }: Surface): boolean => path === prefix || path.startsWith(`${prefix}/`);
  return [events, platform, v1].find(under) ?? ops;
}
