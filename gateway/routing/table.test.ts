import { expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import type { RouteMethod } from '#common/model/route-settings.ts';
import { parsePattern, patternShape } from '#common/pattern.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import type { LiveRoute, RunningPipeline } from './live-route.ts';
import { RoutingTable } from './table.ts';

/** The parts of a pipeline and its routes that the table reads. */
function pipeline(id: string, ...routes: [method: string, source: string][]): RunningPipeline {
  const [project = '', name = ''] = id.split('/');
  const running = { claims: 0, stopped: false, onIdle: null } as unknown as RunningPipeline;
  running.routes = routes.map(([method, source], index) => {
    const parsed = parsePattern(source);
    if (!parsed.ok) throw new Error(parsed.message);
    const { pattern } = parsed;
    const shape = `${method} ${patternShape(pattern)}`;
    return { id: `${id}/${index}`, project, pipeline: name, method, pattern, shape, owner: running } as LiveRoute;
  });
  return running;
}

function asked(id: string, method: RouteMethod, path: string): Parameters<RoutingTable['clash']>[0] {
  const [project = '', name = ''] = id.split('/');
  return { project, definition: pipelineDefinition.parse(routePipeline({ id: name, method, path })) };
}

test('a revision replaces the previous one completely', () => {
  const table = new RoutingTable();
  table.put('p/orders', pipeline('p/orders', ['GET', '/orders/:id'], ['POST', '/orders']));
  const next = pipeline('p/orders', ['GET', '/orders/:number']);
  table.put('p/orders', next);
  expect(table.find('GET', '/orders/7')?.route).toBe(next.routes[0]);
  expect(table.find('POST', '/orders')).toBeNull();
  expect([...table.routes.keys()]).toEqual(['p/orders/0']);
  expect([...table.pipelines.values()]).toEqual([next]);
});

test('reports why nothing matches, with the route that was probably meant', () => {
  const table = new RoutingTable();
  const orders = pipeline('p/orders', ['GET', '/orders/:id'], ['PUT', '/orders/:id']);
  table.put('p/orders', orders);
  const parts = pipeline('p/parts', ['GET', '/parts'], ['POST', '/orders/:id']);
  table.put('p/parts', parts);
  const [get] = orders.routes;
  expect(table.missOf('PATCH', '/orders/7')).toEqual({
    cause: 'method_differs',
    near: get,
    accepted: ['GET', 'POST', 'PUT'],
  });
  expect(table.missOf('GET', '/orders/7/')).toEqual({ cause: 'slash_differs', near: get, accepted: [] });
  expect(table.missOf('GET', '/nothing')).toEqual({ cause: 'no_route', near: null, accepted: [] });
  const stopped = parts.routes.map((route) => ({ ...route, project: 'p', pipeline: 'parts' }));
  table.remove('p/parts', stopped);
  expect(table.find('GET', '/parts')).toBeNull();
  expect(table.missOf('GET', '/parts')).toMatchObject({ cause: 'pipeline_stopped', near: { pipeline: 'parts' } });
  // Another method of the path is running: the stopped pipeline was meant nevertheless.
  expect(table.missOf('POST', '/orders/7')).toMatchObject({ cause: 'pipeline_stopped', near: { pipeline: 'parts' } });
  table.put('p/parts', parts);
  table.remove('p/parts');
  expect(table.missOf('GET', '/parts').cause).toBe('no_route');
});

test('a route of the same method and shape conflicts with that of another running pipeline', () => {
  const table = new RoutingTable();
  table.put('p/orders', pipeline('p/orders', ['GET', '/orders/:id']));
  const clash = { route: 'GET /orders/:id', project: 'p', pipeline: 'orders' };
  expect(table.clash(asked('p/other', 'GET', '/orders/:number'))).toEqual(clash);
  expect(table.clash(asked('q/orders', 'GET', '/orders/:number'))).toEqual(clash);
  expect(table.clash(asked('p/orders', 'GET', '/orders/:number'))).toBeNull();
  expect(table.clash(asked('p/other', 'POST', '/orders/:number'))).toBeNull();
  table.put('p/orders', pipeline('p/orders', ['GET', '/elsewhere']));
  expect(table.clash(asked('p/other', 'GET', '/orders/:number'))).toBeNull();
  table.put('p/other', pipeline('p/other', ['GET', '/orders/:number']));
  table.remove('p/orders');
  expect(table.clash(asked('p/third', 'GET', '/elsewhere'))).toBeNull();
  expect(table.clash(asked('p/third', 'GET', '/orders/:id'))).toMatchObject({ pipeline: 'other' });
});
