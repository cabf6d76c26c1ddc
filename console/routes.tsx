import { Title } from '@mantine/core';
import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';

const rootRoute = createRootRoute({ component: Outlet });
const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: () => <Title>Faultline</Title>,
});

/** The pages, below the folder that the page's `<base>` names. */
export const openRouter = () =>
  createRouter({
    routeTree: rootRoute.addChildren([homeRoute]),
    basepath: new URL(document.baseURI).pathname,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>;
  }
}
