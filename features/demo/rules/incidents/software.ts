import { appAlert, deployment, errorRate, probeFails } from '#features/demo/rules/scene/check-problems.ts';
import { usersOf } from '#features/demo/rules/scene/ground.ts';
import { appTrouble, unique } from '#features/demo/rules/scene/ripple.ts';
import { type Script, sees } from '#features/demo/rules/scene/scene.ts';

/** A release that passes its tests and fails its customers. */
export const badDeployment =
  (app: string, version: string): Script =>
  (scene) => ({
    title: `bad deployment of ${app} ${version}`,
    cause: sees(deployment(app, version), 0, 5),
    symptoms: unique([
      sees(appAlert(app, 'PodCrashLooping', `Container of ${app} is crash looping`, 'major'), 50, 150),
      ...appTrouble(scene, app, { fails: true, after: 60 }),
    ]),
    minutes: 16,
  });

/** A certificate was not renewed. */
export const expiredCertificate =
  (app: string): Script =>
  ({ ground }) => ({
    title: `certificate of ${app} has expired`,
    cause: sees(
      appAlert(app, 'CertificateExpired', `TLS certificate of ${app}.corp.example has expired`, 'critical'),
      30,
      120,
    ),
    symptoms: unique(
      usersOf(ground, app).flatMap((caller) => [
        sees(
          appAlert(caller, 'UpstreamTlsErrors', `${caller}: TLS handshake failed, certificate expired`, 'major'),
          5,
          90,
        ),
        sees(errorRate(caller), 30, 150),
        ...ground
          .on(caller, 'depends_on')
          .filter((name) => ground.named(name).type === 'business_service')
          .map((name) => sees(probeFails(name), 60, 200)),
      ]),
    ),
    minutes: 27,
  });

/** The payment provider is down; it has no monitor here. */
export const failingProvider =
  (app: string): Script =>
  (scene) => ({
    title: `outside provider of ${app} fails (not monitored here)`,
    cause: null,
    symptoms: unique([
      sees(appAlert(app, 'ProviderErrors', `${app}: provider answers HTTP 502`, 'major'), 15, 90),
      ...appTrouble(scene, app, { fails: true, after: 30 }),
    ]),
    minutes: 19,
  });
