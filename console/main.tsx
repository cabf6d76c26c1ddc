import '@mantine/core/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { openRouter } from './routes.tsx';

/** Styles that the kit makes at run time are allowed by the nonce of this load alone. */
const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

const start = (place: HTMLElement): void => {
  createRoot(place).render(
    <MantineProvider defaultColorScheme="auto" getStyleNonce={nonce}>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={openRouter()} />
      </QueryClientProvider>
    </MantineProvider>,
  );
};

const place = document.getElementById('console');
if (place !== null) start(place);
