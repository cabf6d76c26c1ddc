import type { ServiceData } from './api.ts';

/** A component as it is edited. */
export interface ComponentDraft {
  readonly ciId: string;
  readonly name: string;
  readonly role: string;
  readonly group: string;
  readonly required: number;
}
/** A service in its dialog. */
export interface ServiceDraft {
  readonly name: string;
  readonly description: string;
  readonly criticality: ServiceData['criticality'];
  readonly availability: string;
  readonly responseTime: string;
  readonly components: readonly ComponentDraft[];
}

export const NEW_SERVICE: ServiceDraft = {
  name: '',
  description: '',
  criticality: 'medium',
  availability: '',
  responseTime: '',
  components: [],
};

export const componentOf = (ciId: string, name: string): ComponentDraft => ({
  ciId,
  name,
  role: '',
  group: '',
  required: 1,
});

/** Adds components, each CI once. */
export const withComponents = (draft: ServiceDraft, added: readonly ComponentDraft[]): ServiceDraft => {
  const known = new Set(draft.components.map(({ ciId }) => ciId));
  return { ...draft, components: [...draft.components, ...added.filter(({ ciId }) => !known.has(ciId))] };
};

const DEFAULT_ROLE = 'component';

export const draftOfService = (
  { name, description, criticality, sla, components }: ServiceData,
  names: ReadonlyMap<string, string>,
): ServiceDraft => ({
  name,
  description,
  criticality,
  availability: sla.availability ?? '',
  responseTime: sla.response_time ?? '',
  components: components.map(
    ({ ci_id: ciId, role, redundancy_group: group = '', redundancy_required: required = 1 }) => ({
      ...componentOf(ciId, names.get(ciId) ?? ciId),
      role: role === DEFAULT_ROLE ? '' : role,
      group,
      required,
    }),
  ),
});

/** The body of the request. */
export const serviceBodyOf = (draft: ServiceDraft) => {
  const { name, description, criticality } = draft;
  const [availability, responseTime] = [draft.availability.trim(), draft.responseTime.trim()];
  return {
    name: name.trim(),
    description: description.trim(),
    criticality,
    sla: { ...(availability !== '' && { availability }), ...(responseTime !== '' && { response_time: responseTime }) },
    components: draft.components.map(({ ciId, role, group, required }) => ({
      ci_id: ciId,
      role: role.trim() || DEFAULT_ROLE,
      ...(group.trim() !== '' && { redundancy_group: group.trim(), redundancy_required: required }),
    })),
  };
};
