/** Two node kinds for Sluice. Each function gets a message and the node's settings, and says what leaves the node. */

interface ScaleSettings {
  readonly field: string;
  readonly factor: number;
  readonly offset?: number;
  readonly low?: number;
}

const scale: PluginFunction<ScaleSettings> = (message, { field, factor, offset = 0, low }) => {
  const { payload, body } = bodyOf(message);
  const value = numberIn(body, field) * factor + offset;
  const port = low !== undefined && value < low ? 'low' : 'out';
  return { port, payload: { ...payload, body: { ...body, [field]: value } } };
};

interface DeviationSettings {
  readonly field: string;
  readonly tag: string;
}

const deviation: PluginFunction<DeviationSettings> = async (message, { field, tag }) => {
  const { payload, body } = bodyOf(message);
  const { value: setpoint, unit, quality, reason } = await tags.read(tag);
  if (quality !== 'good' || typeof setpoint !== 'number')
    throw new Error(`the tag ${tag} has no good number: ${reason ?? quality}`);
  const actual = numberIn(body, field);
  return { payload: { ...payload, body: { actual, setpoint, deviation: actual - setpoint, unit } } };
};

type Fields = Readonly<Record<string, unknown>>;

/** The body of the request, which is whatever a caller sent. */
function bodyOf(message: ScriptMessage): { payload: Fields; body: Fields } {
  const { payload } = message;
  if (!isObject(payload) || !isObject(payload['body'])) throw new Error('expected an object in payload.body');
  return { payload, body: payload['body'] };
}

function numberIn(body: Fields, field: string): number {
  const value = body[field];
  if (typeof value !== 'number') throw new Error(`expected a number in payload.body.${field}`);
  return value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export default { 'acme-scale': scale, 'acme-deviation': deviation } satisfies SluicePlugin;
