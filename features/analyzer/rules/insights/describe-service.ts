import type { Fact } from '#domain/ai/evidence.ts';
import { counted, enumeration, Findings } from '#features/ai/rules/findings.ts';
import type { Risk } from '#features/analyzer/rules/servers/risks.ts';
import type { MappedServer } from '#features/analyzer/rules/servers/structure.ts';
import { architectureOf, names } from './describe-structure.ts';
import { descriptionItem, serverItem } from './server-item.ts';
import type { ServiceView } from './service-view.ts';

const MAX_RISKS = 12;
const CITED = 3;
const NAMED = 3;

/** A sentence with the alias of its evidence; null: the pack has no room for it. */
interface ServiceSentence {
  readonly text: string;
  readonly ref: string | null;
}
interface SaidRisk extends ServiceSentence {
  readonly risk: Risk;
}

export interface SaidService {
  readonly findings: Findings;
  readonly architecture: ServiceSentence;
  readonly risks: readonly SaidRisk[];
  readonly anomalies: readonly string[];
}

const server = (findings: Findings, { namedOf }: ServiceView, { id, role, tier }: MappedServer): string | null =>
  serverItem(findings, namedOf(id), [
    { name: 'role', value: role },
    { name: 'tier', value: tier },
  ]);

function describeArchitecture(findings: Findings, view: ServiceView): ServiceSentence {
  const { metrics } = view.structure;
  const text = architectureOf(view.structure);
  const facts: Fact[] = [
    { name: 'architecture', value: text },
    { name: 'servers', value: metrics.serverCount },
    { name: 'connected pairs', value: metrics.connectionCount },
    { name: 'share of all pairs', value: metrics.connectionDensity },
  ];
  const ref = findings.add({ kind: 'query', id: 'structure', label: 'Structure of the service', facts, href: '' });
  findings.say(text, [ref]);
  return { text, ref };
}

function describeRisk(findings: Findings, view: ServiceView, risk: Risk): SaidRisk {
  const { kind, severity, servers, what, recommendation, certainty } = risk;
  const about = kind === 'clear_text' ? servers : servers.slice(0, 1);
  const text = `${names(about)} ${what}.`;
  const facts: Fact[] = [
    { name: 'finding', value: text, isFreeText: true },
    { name: 'severity', value: severity },
    { name: 'recommendation', value: recommendation },
  ];
  const id = `${kind}:${servers.map((one) => one.id).join(':')}`.slice(0, 255);
  const ref = findings.add({ kind: 'query', id, label: kind.replaceAll('_', ' '), facts, href: '' });
  const cited = servers.slice(0, CITED).map((one) => server(findings, view, one));
  findings.say(text, [ref, ...cited], certainty);
  return { text, ref, risk };
}

function describeImpact(findings: Findings, { impact, structure }: ServiceView, structureRef: string | null): void {
  const { services, below, truncated } = impact;
  if (services.length > 0) {
    const refs = services.slice(0, CITED).map((service) => findings.service(service));
    const told = enumeration(
      services.map(({ name, criticality }) => `${name} (${criticality})`),
      NAMED,
    );
    findings.say(
      `${counted(services.length, 'business service runs', 'business services run')} on these servers: ${told}.`,
      refs,
    );
  } else findings.say('No business services on these servers.', [structureRef]);
  if (below.length === 0 || structure.servers.length === 0) return;
  const refs = below.slice(0, CITED).map((ci) => findings.ci(ci));
  const listed = enumeration(
    below.map(({ name }) => name),
    NAMED,
  );
  const least = truncated ? 'at least ' : '';
  findings.say(
    `If they fail, ${least}${counted(below.length, 'other CI is', 'other CIs are')} impacted: ${listed}.`,
    refs,
  );
}

/** Sentences of rules about a service: its build, its weaknesses, its dependants, and its oddities. */
export function describeService(view: ServiceView): SaidService {
  const findings = new Findings();
  descriptionItem(findings, view.description);
  const architecture = describeArchitecture(findings, view);
  const risks = view.risks.slice(0, MAX_RISKS).map((risk) => describeRisk(findings, view, risk));
  describeImpact(findings, view, architecture.ref);
  const anomalies = view.anomalies.map(({ servers, what }) => {
    const text = `${names(servers)} ${what}.`;
    const refs = servers.slice(0, CITED).map((one) => server(findings, view, one));
    findings.say(text, refs, 'likely');
    return text;
  });
  return { findings, architecture, risks, anomalies };
}
