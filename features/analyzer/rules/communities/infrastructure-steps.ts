/** The search for the services of an estate, step by step. */
import { itemAt } from '#domain/assert.ts';
import { type Bonds, bondsOf } from './bonds.ts';
import { categoryOf, tierCounts } from './category.ts';
import { byConfidence, type FoundService, foundService } from './found-service.ts';
import { findHubs, type Hub } from './hubs.ts';
import type { Infrastructure, InfrastructureCi, InfrastructureLink, SeenProcess } from './infrastructure.ts';
import { type NameWords, nameWords } from './name-words.ts';
import { type Naming, nameServices } from './naming.ts';
import { type Roles, rolesIn } from './roles.ts';
import { type Split, split } from './split.ts';

/** An estate as it was read; CIs are numbered in the order in which they are passed in. */
export interface InfrastructurePart {
  readonly cis?: readonly InfrastructureCi[];
  readonly links?: readonly InfrastructureLink[];
  readonly processes?: readonly (readonly [ci: number, processes: readonly SeenProcess[]])[];
}

/** Services from one number up to another, exclusive. */
export interface ServiceSlice {
  readonly from: number;
  readonly to: number;
}

type InfrastructureStep<I, A> = (input: I) => A;

/** Steps in their order; slices of one step follow one another from 0 on. */
interface InfrastructureSteps {
  readonly hubs: InfrastructureStep<null, readonly Hub[]>;
  readonly split: InfrastructureStep<readonly Hub[], Split>;
  /** Reads the number of each CI's service. */
  readonly bind: InfrastructureStep<Int32Array, null>;
  readonly classify: InfrastructureStep<ServiceSlice, null>;
  readonly name: InfrastructureStep<ServiceSlice, readonly Pick<FoundService, 'name' | 'category'>[]>;
  readonly score: InfrastructureStep<ServiceSlice, readonly Pick<FoundService, 'name' | 'category' | 'confidence'>[]>;
  /** The surest services first, after all are scored. */
  readonly list: InfrastructureStep<ServiceSlice, readonly FoundService[]>;
}
export type StepName = keyof InfrastructureSteps;
export type StepInput<N extends StepName> = Parameters<InfrastructureSteps[N]>[0];
export type StepAnswer<N extends StepName> = ReturnType<InfrastructureSteps[N]>;

/** Receives an environment in parts, and then runs the steps on it. */
export interface InfrastructureSearch {
  readonly add: (part: InfrastructurePart) => void;
  readonly steps: InfrastructureSteps;
}

/** Creates a search that stores the results of each step for later ones. */
export function infrastructureSearch(): InfrastructureSearch {
  const [cis, links]: [InfrastructureCi[], InfrastructureLink[]] = [[], []];
  const estate: Infrastructure = { cis, links };
  const roles: Roles[] = [];
  const found: FoundService[] = [];
  let words: NameWords | null = null;
  let bonds: readonly Bonds[] = [];
  let namings: readonly Naming[] | null = null;
  let names: readonly string[] = [];
  let isSorted = false;

  function wordsOf(): NameWords {
    words ??= nameWords(cis);
    return words;
  }
  function namingsOf(): readonly Naming[] {
    namings ??= nameServices(estate, wordsOf(), bonds);
    names = namings.map(({ name }) => name);
    return namings;
  }
  const add = (part: InfrastructurePart): void => {
    for (const ci of part.cis ?? []) cis.push(ci);
    for (const link of part.links ?? []) links.push(link);
    for (const [place, processes] of part.processes ?? []) cis[place] = { ...itemAt(cis, place), processes };
  };
  const steps: InfrastructureSteps = {
    hubs: () => findHubs(estate),
    split(hubs) {
      return split(estate, hubs, wordsOf());
    },
    bind(serviceOf) {
      const services = serviceOf.reduce((most, service) => Math.max(most, service + 1), 0);
      bonds = bondsOf(estate, serviceOf, services);
      return null;
    },
    classify({ from, to }) {
      for (const one of bonds.slice(from, to)) roles.push(rolesIn(estate, one));
      return null;
    },
    name({ from, to }) {
      const all = namingsOf();
      return all.slice(from, to).map(({ name }, n) => {
        const category = categoryOf(tierCounts(itemAt(roles, from + n).members.map(({ tier }) => tier)));
        return { name, category };
      });
    },
    score({ from, to }) {
      const all = namingsOf();
      for (let number = from; number < Math.min(to, bonds.length); number++) {
        const [own, naming] = [itemAt(roles, number), itemAt(all, number)];
        found.push(foundService({ estate, bonds: itemAt(bonds, number), roles: own, naming, names }));
      }
      return found.slice(from, to).map(({ name, category, confidence }) => ({ name, category, confidence }));
    },
    list({ from, to }) {
      if (!isSorted) found.sort(byConfidence);
      isSorted = true;
      return found.slice(from, to);
    },
  };
  return { add, steps };
}
