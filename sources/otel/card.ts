import { z } from 'zod';
import { body, HOST, type SourceCard, TOKEN_PLACE, titleOf } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'OtlpLogsBody',
    { resourceLogs: z.array(z.record(z.string(), z.unknown())).optional() },
    {
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'host.name', value: { stringValue: 'app-9' } }] },
          scopeLogs: [
            {
              logRecords: [
                {
                  timeUnixNano: '1795261097000000000',
                  severityNumber: 21,
                  severityText: 'FATAL',
                  body: { stringValue: 'out of memory' },
                },
              ],
            },
          ],
        },
      ],
    },
  ),
  carries: 'header',
  snippets: (address) => [
    {
      title: 'Collector configuration',
      language: 'yaml',
      text: `exporters:
  otlphttp/faultline:
    endpoint: ${address}
    encoding: json
    headers: { Authorization: "Bearer ${TOKEN_PLACE}" }
service:
  pipelines:
    logs/faultline:
      receivers: [otlp]
      exporters: [otlphttp/faultline]`,
    },
  ],
  test: (test) => ({
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'host.name', value: { stringValue: HOST } }] },
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: `${test.at}000000`,
                severityNumber: 17,
                body: { stringValue: `${titleOf(test)}\n${test.what}` },
              },
            ],
          },
        ],
      },
    ],
  }),
  byHand: true,
};
