import { lazyRouteComponent } from '@tanstack/react-router';
import { loadedPart } from '#console/states/loaded-part.ts';

/** A component of a slot: loaded with the page that has the slot, or else when it is first drawn. */
export const later = <Module extends object, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] => lazyRouteComponent((() => loadedPart(load)) as never, name as never) as Module[Name];
