import { feature } from '#features/feature.ts';
import { openSmtp } from './stores/smtp.ts';

export const mail = feature({
  id: 'mail',
  uses: [],
  provide: async ({ config }) => {
    const { mailer, close } = openSmtp(config);
    return { ports: { mailer }, close: async () => close() };
  },
});
