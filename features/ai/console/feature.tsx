import type { ConsoleFeature } from '#console/slots/feature.ts';

export const ai: ConsoleFeature = {
  id: 'ai',
  pages: [{ path: '/admin/ai', needs: 'settings.read', load: () => import('./ai-page.tsx'), component: 'AiPage' }],
  adminPages: [{ place: 35, to: '/admin/ai', words: 'AI', needs: 'settings.read' }],
};
