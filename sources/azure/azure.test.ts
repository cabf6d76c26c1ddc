import { describe, expect, test } from '@jest/globals';
import { actionOf, azureAlert, draftOf, readAs } from '../samples-for-tests.ts';

type Fields = Record<string, unknown>;
const alert = (essentials: Fields, alertContext: unknown = azureAlert.data.alertContext) => ({
  ...azureAlert,
  data: { ...azureAlert.data, essentials: { ...azureAlert.data.essentials, ...essentials }, alertContext },
});
const VM =
  '/subscriptions/0aaaaaaa-0000-4000-8000-000000000000/resourceGroups/RG/providers/Microsoft.Compute/virtualMachines/Web-1';

describe('Azure Monitor', () => {
  test('a log alert is about the machine of its dimension, not the workspace', () => {
    expect(actionOf('azure-monitor', azureAlert)).toMatchObject({
      action: 'open',
      conditionId: `azure:${azureAlert.data.essentials.alertId.toLowerCase()}`,
      draft: {
        source: 'azure',
        sourceId: azureAlert.data.essentials.alertId,
        severity: 'critical',
        title: 'Heartbeat lost',
        hostname: 'win-07.corp.example',
        environment: 'production',
        timestamp: Date.UTC(2026, 10, 21, 6, 20, 0, 123),
      },
    });
    expect(draftOf('azure', alert({}, {})).hostname).toBeUndefined();
    expect(draftOf('azure', alert({ configurationItems: ['logs'] }, {})).hostname).toBeUndefined();
  });

  test.each([
    ['Sev0', 'critical'],
    ['Sev1', 'major'],
    ['Sev2', 'warning'],
    ['Sev3', 'info'],
    ['Sev4', 'info'],
    ['sev1', 'major'],
    [undefined, 'warning'],
    ['Sev9', 'warning'],
  ])('severity %s is %s', (severity, ours) => {
    expect(draftOf('azure', alert({ severity })).severity).toBe(ours);
  });

  test('a metric alert is bound by configuration item and lower-case ARM id', () => {
    const draft = draftOf(
      'azure',
      alert(
        { signalType: 'Metric', alertTargetIDs: [VM], configurationItems: ['Web-1'] },
        { conditionType: 'Unheard', condition: null },
      ),
    );
    expect(draft).toMatchObject({ hostname: 'Web-1', ciHints: [VM.toLowerCase()] });
  });

  const RG = '/subscriptions/0aaaaaaa-0000-4000-8000-000000000000/resourceGroups/RG/providers';
  const SCALE_SET = `${RG}/Microsoft.Compute/virtualMachineScaleSets/ss1`;
  const STORAGE = `${RG}/Microsoft.Storage/storageAccounts/storA`;
  const SERVER = `${RG}/Microsoft.Sql/servers/srvA`;
  test.each([
    [`${SCALE_SET}/virtualMachines/0`, '0', 'ss1_0'],
    [`${SCALE_SET}/virtualMachines/0`, undefined, 'ss1_0'],
    [SCALE_SET, 'ss1', 'ss1'],
    [`${STORAGE}/blobServices/default`, 'default', 'storA'],
    [`${STORAGE}/blobServices/default/`, undefined, 'storA'],
    [`${SERVER}/databases/appdb`, 'AppDb', 'srvA/appdb'],
    [`${SERVER}/databases/appdb`, `${SERVER}/databases/appdb`, 'srvA/appdb'],
    [`${VM}/providers/Microsoft.Maintenance/configurationAssignments/weekly`, undefined, 'Web-1'],
  ])('target %s with configuration item %p is about %s', (target, item, host) => {
    const metric = { signalType: 'Metric', alertTargetIDs: [target], configurationItems: item ? [item] : [] };
    expect(draftOf('azure', alert(metric, {})).hostname).toBe(host);
  });

  test('the workspace is a name of the CI only where no machine is known', () => {
    const workspace = azureAlert.data.essentials.alertTargetIDs[0]?.toLowerCase();
    const ofLogs = { configurationItems: ['Logs'], targetResourceName: 'logs' };
    expect(draftOf('azure', alert(ofLogs)).ciHints).toBeUndefined();
    expect(draftOf('azure', alert(ofLogs, {})).ciHints).toEqual(['Logs', workspace, 'logs']);
  });

  test('a log alert of version 1 says all of it in the context', () => {
    const context = {
      SearchQuery: 'Heartbeat | summarize count() by Computer',
      LinkToSearchResults: 'https://portal.example/all',
      LinkToFilteredSearchResultsUI: 'https://portal.example/some',
      AffectedConfigurationItems: ['win-08'],
      Dimensions: [{ name: 'Computer', value: 'win-07' }],
      Threshold: 0,
      Operator: 'Greater Than',
    };
    expect(draftOf('azure', alert({}, context))).toMatchObject({
      hostname: 'win-07',
      ciHints: ['win-08'],
      tags: expect.arrayContaining(['Computer:win-07']),
      details: {
        searchQuery: context.SearchQuery,
        operator: 'Greater Than',
        threshold: '0',
        link: 'https://portal.example/some',
      },
    });
    expect(draftOf('azure', alert({}, { ...context, Dimensions: [] })).hostname).toBe('win-08');
  });

  test('a budget is no machine', () => {
    const subscription = '/subscriptions/0aaaaaaa-0000-4000-8000-000000000000';
    const BudgetId = `${subscription}/providers/Microsoft.Consumption/budgets/monthly`;
    const draft = draftOf(
      'azure',
      alert(
        {
          monitoringService: 'CostAlerts',
          signalType: null,
          monitorCondition: undefined,
          alertTargetIDs: null,
          configurationItems: ['budgets'],
        },
        { AlertCategory: 'budgets', AlertData: { BudgetId, BudgetName: 'monthly', Scope: `${subscription}/` } },
      ),
    );
    expect(draft.hostname).toBeUndefined();
    expect(draft).toMatchObject({
      ciHints: [BudgetId, subscription, 'monthly'],
      details: { budget: 'monthly', scope: `${subscription}/` },
    });
  });

  test("an owner's properties are tags, never the text of the alert", () => {
    const properties = { title: 'Open ticket in queue X', cause: 'see wiki', service: 'orders' };
    expect(draftOf('azure', alert({ signalType: 'Metric' }, { properties }))).toMatchObject({
      title: 'Heartbeat lost',
      description: 'No heartbeat for 10 minutes',
      service: 'orders',
      tags: expect.arrayContaining(['title:Open ticket in queue X']),
    });
  });

  test('an instance of a counter is a disk, not the machine', () => {
    const condition = { allOf: [{ dimensions: [{ name: 'Instance', value: 'C:' }] }] };
    const metric = { signalType: 'Metric', alertTargetIDs: [VM], configurationItems: ['Web-1'] };
    expect(draftOf('azure', alert(metric, { condition })).hostname).toBe('Web-1');
  });

  test('an id among the dimensions names no machine', () => {
    const condition = {
      allOf: [{ dimensions: [{ name: 'ResourceId', value: '3efad9dc-3d50-4eac-9c87-8b3fd6f97e4e' }] }],
    };
    const draft = draftOf('azure', alert({ alertTargetIDs: [VM], configurationItems: ['Web-1'] }, { condition }));
    expect(draft.hostname).toBe('Web-1');
  });

  test('an alert of managed Prometheus has its labels and annotations, not the workspace', () => {
    const workspace =
      '/subscriptions/0aaaaaaa-0000-4000-8000-000000000000/resourcegroups/rg/providers/microsoft.monitor/accounts/ws';
    const context = {
      expression: 'sql_up < 1',
      labels: { alertname: 'SqlDown', instance: 'sql-3:9187', service: 'orders' },
      annotations: { summary: 'SQL is down', description: 'No answer for 2 minutes' },
    };
    const essentials = { alertTargetIDs: [workspace], monitoringService: 'Prometheus', description: '' };
    expect(draftOf('azure', alert({ ...essentials, signalType: 'Metric' }, context))).toMatchObject({
      description: 'SQL is down\nNo answer for 2 minutes',
      hostname: 'sql-3',
      service: 'orders',
      tags: expect.arrayContaining(['alertname:SqlDown']),
    });
    expect(draftOf('azure', alert(essentials, {})).hostname).toBeUndefined();
  });

  test('smart detection says what it found', () => {
    const context = { DetectionSummary: 'An abnormal rise in failed requests' };
    expect(draftOf('azure', alert({ description: 'Failures' }, context)).description).toBe(
      'Failures\nAn abnormal rise in failed requests',
    );
  });

  test.each([[null], [' AzureMonitorCommonAlertSchema ']])('schema %p is the common one', (schemaId) => {
    expect(readAs('azure', { ...azureAlert, schemaId }).items[0]?.ok).toBe(true);
  });

  test.each([
    ['Fired', 'Deactivated', 'open'],
    ['Resolved', 'Active', 'resolve'],
    ['resolved', undefined, 'resolve'],
    [undefined, 'Resolved', 'resolve'],
    [undefined, undefined, 'open'],
  ])('condition %s with status %s asks to %s', (monitorCondition, status, asked) => {
    expect(
      actionOf('azure', alert({ monitorCondition, resolvedDateTime: '2026-11-21T06:40:00Z' }, { status })).action,
    ).toBe(asked);
  });

  test('service health has its title and text, without the HTML', () => {
    const properties = {
      title: 'Storage in West Europe',
      trackingId: 'AB-1',
      communication: '<p>We are <b>looking</b> &amp; learning</p>',
    };
    const draft = draftOf(
      'azure',
      alert({ signalType: 'Activity Log', severity: undefined, description: '' }, { status: 'Active', properties }),
    );
    expect(draft).toMatchObject({
      title: 'Storage in West Europe',
      description: 'We are looking & learning',
      severity: 'warning',
      details: { trackingId: 'AB-1' },
    });
  });

  test.each([['AzureMonitorMetricAlert'], ['Microsoft.Insights/activityLogs'], ['Microsoft.Insights/LogAlert']])(
    'schema %s is refused with the remedy',
    (schemaId) => {
      expect(() => readAs('azure', { schemaId, data: {} })).toThrow(/enable the common alert schema/);
    },
  );

  test('bodies without essentials or id are refused', () => {
    expect(() => readAs('azure', { data: {} })).toThrow(/enable the common alert schema/);
    expect(() => readAs('azure', { status: 'Activated', context: {} })).toThrow(/enable the common alert schema/);
    expect(readAs('azure', alert({ alertId: undefined })).items[0]?.ok).toBe(false);
    expect(actionOf('azure', alert({ monitorCondition: 'Perhaps' }))).toMatchObject({
      action: 'update',
      draft: { details: { unknownState: 'Perhaps' } },
    });
  });

  const health = (alertId: string, properties: Fields, status = 'Active') =>
    actionOf(
      'azure',
      alert(
        { alertId, signalType: 'Activity Log', monitoringService: 'ServiceHealth', alertTargetIDs: [VM] },
        { status, properties },
      ),
    );
  test.each([
    ['a1', { trackingId: 'VT-1', stage: 'Active', title: 'Storage' }, 'Active', 'open'],
    ['a2', { trackingId: 'VT-1', stage: 'Active', title: 'Storage - Update' }, 'Updated', 'open'],
    ['a3', { trackingId: 'VT-1', stage: 'Resolved', title: 'Storage - Mitigated' }, 'Resolved', 'resolve'],
    ['a4', { trackingId: 'VT-1', stage: 'Complete' }, 'Active', 'resolve'],
    ['a5', { trackingId: 'vt-1', stage: 'Canceled' }, 'Active', 'resolve'],
    ['a6', { trackingId: 'VT-1', stage: 'RCA' }, 'Active', 'resolve'],
  ])('service health: alert %s with %p, %s asks to %s of its tracking id', (id, properties, status, asked) => {
    const action = health(id, properties, status);
    expect(action).toMatchObject({ action: asked, conditionId: 'azure:service-health/vt-1' });
  });

  test.each([
    ['Unavailable', 'Active', 'open'],
    ['Degraded', 'Updated', 'open'],
    ['Unknown', 'Active', 'open'],
    ['Available', 'Active', 'resolve'],
    ['Unavailable', 'Resolved', 'resolve'],
  ])('resource health %s with status %s asks to %s of the resource', (currentHealthStatus, status, asked) => {
    const action = health('r', { currentHealthStatus, cause: 'PlatformInitiated' }, status);
    expect(action).toMatchObject({ action: asked, conditionId: `azure:resource-health${VM.toLowerCase()}` });
  });

  const fleet = (monitorCondition: string, essentials: Fields, context: unknown = {}) =>
    readAs('azure', alert({ signalType: 'Metric', monitorCondition, ...essentials }, context)).items.map(
      (item) => item.ok && item.action,
    );
  const OTHER = VM.replace('Web-1', 'Web-2');
  test('an alert about two machines is one of each, and its end ends both', () => {
    const both = { alertTargetIDs: [VM, OTHER], configurationItems: ['Web-1', 'Web-2'] };
    const fired = fleet('Fired', both);
    expect(fired).toMatchObject([
      { action: 'open', draft: { hostname: 'web-1', ciHints: [VM.toLowerCase()] } },
      { action: 'open', draft: { hostname: 'web-2', ciHints: [OTHER.toLowerCase()] } },
    ]);
    const idsOf = (actions: typeof fired) =>
      actions.map((action) => action && 'conditionId' in action && action.conditionId);
    expect(new Set(idsOf(fired)).size).toBe(2);
    expect(idsOf(fleet('Resolved', both))).toEqual(idsOf(fired));
    const rows = { condition: { allOf: ['a', 'b'].map((value) => ({ dimensions: [{ name: 'Computer', value }] })) } };
    expect(fleet('Fired', {}, rows)).toMatchObject([{ draft: { hostname: 'a' } }, { draft: { hostname: 'b' } }]);
    const one = { condition: { allOf: [{ dimensions: [{ name: 'Computer', value: 'a' }] }] } };
    expect(fleet('Fired', both, one)).toMatchObject([{ draft: { hostname: 'a' } }]);
  });
});
