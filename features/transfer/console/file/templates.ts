import type { ImportKind } from './kinds.ts';

/** Files to begin with; columns that one does not have may be left out. */
export const TEMPLATES: Readonly<Record<ImportKind, { readonly name: string; readonly text: string }>> = {
  cis: {
    name: 'faultline-cis.csv',
    text: [
      'name,type,status,description,external_key,attributes.hostname,attributes.ip_address,attributes.environment,attributes.site',
      'web-1,server,active,First web server,asset-1001,web-1.example.com,192.0.2.11,production,ams2',
      'db-1,database,active,Main database,asset-1002,db-1.example.com,192.0.2.21,production,ams2',
      '',
    ].join('\n'),
  },
  relationships: {
    name: 'faultline-relationships.csv',
    text: ['source_ci,type,target_ci', 'web-1,depends_on,db-1', ''].join('\n'),
  },
};

/** Of a file that the browser keeps as it is. */
export const addressOfTemplate = (kind: ImportKind): string =>
  `data:text/csv;charset=utf-8,${encodeURIComponent(TEMPLATES[kind].text)}`;
