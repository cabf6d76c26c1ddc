import type { Service } from '#domain/services/service.ts';

const componentsBody = ({ components }: Service) =>
  components.map(({ ciId, role, redundancy }) => ({
    ci_id: ciId,
    role,
    ...(redundancy && { redundancy_group: redundancy.group, redundancy_required: redundancy.required }),
  }));

const slaBody = ({ sla: { availability, responseTime } }: Service) => ({
  ...(availability !== null && { availability }),
  ...(responseTime !== null && { response_time: responseTime }),
});

/** A service without its health, as the audit trail stores it too. */
export const serviceFacts = (service: Service) => ({
  id: service.id,
  name: service.name,
  description: service.description,
  criticality: service.criticality,
  sla: slaBody(service),
  components: componentsBody(service),
});
