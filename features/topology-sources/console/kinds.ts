/** Kinds of topology sources in forms: one entry per kind. */
import type { TopologySourceData } from './api.ts';
import * as text from './texts.ts';

export interface SourceField {
  /** Name in the API. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly placeholder?: string;
  /** `lines`: text of several lines, too long to be shown with the source; `list`: separated by commas. */
  readonly shape?: 'lines' | 'list';
}
/** A way to sign in: its `type` in the API, and its fields. */
export interface SourceSignIn {
  readonly type: string;
  readonly label: string;
  readonly fields: readonly (SourceField & { readonly isSecret?: true })[];
}
export interface SourceKindForm {
  readonly kind: string;
  readonly label: string;
  readonly help: string;
  readonly urlPlaceholder: string;
  /** No URL means the cluster that Faultline runs in. */
  readonly isUrlOptional?: true;
  readonly signIns: readonly SourceSignIn[];
  /** Optional fields of this kind alone. */
  readonly fields: readonly SourceField[];
}

const BEARER: SourceSignIn = {
  type: 'bearer',
  label: text.bearerToken,
  fields: [{ name: 'token', label: text.token, isSecret: true }],
};
const BASIC: SourceSignIn = {
  type: 'basic',
  label: text.usernameAndPassword,
  fields: [
    { name: 'username', label: text.username },
    { name: 'password', label: text.password, isSecret: true },
  ],
};
const CLUSTER: SourceField = {
  name: 'cluster',
  label: text.cluster,
  help: text.clusterHelp,
  placeholder: text.defaultCluster,
};

export const SOURCE_FORMS: readonly SourceKindForm[] = [
  {
    kind: 'prometheus',
    label: text.prometheus,
    help: text.prometheusHelp,
    urlPlaceholder: text.urlExample,
    signIns: [BEARER, BASIC],
    fields: [CLUSTER],
  },
  {
    kind: 'kubernetes',
    label: text.kubernetes,
    help: text.kubernetesHelp,
    urlPlaceholder: text.kubernetesUrlExample,
    isUrlOptional: true,
    signIns: [BEARER],
    fields: [
      { name: 'cluster', label: text.cluster, placeholder: text.defaultCluster },
      { name: 'ca', label: text.authorities, help: text.authoritiesHelp, shape: 'lines' },
    ],
  },
  {
    kind: 'netbox',
    label: text.netbox,
    help: text.netboxHelp,
    urlPlaceholder: text.netboxUrlExample,
    signIns: [{ type: 'token', label: text.apiToken, fields: [{ name: 'token', label: text.token, isSecret: true }] }],
    fields: [{ name: 'roles', label: text.roles, help: text.rolesHelp, placeholder: text.rolesExample, shape: 'list' }],
  },
];

/** Undefined: nothing to set, as for syncs. */
export const formOf = (kind: string): SourceKindForm | undefined => SOURCE_FORMS.find((form) => form.kind === kind);
export const kindWords = ({ kind }: Pick<TopologySourceData, 'kind'>): string => formOf(kind)?.label ?? text.sync;
export const signInWords = ({ kind, auth }: Pick<TopologySourceData, 'kind' | 'auth'>): string =>
  formOf(kind)?.signIns.find(({ type }) => type === auth?.type)?.label ?? text.noSignIn;
