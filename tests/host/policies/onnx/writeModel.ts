// Small ONNX models, written out by hand: the few messages of the format (onnx.proto3) that they need.

type Field = readonly [number: number, value: number | string | Uint8Array];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** A protobuf message: numbers as varints, everything else with its length before it. */
function message(...fields: readonly Field[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (typeof value === 'number') return Uint8Array.from([...varint(number << 3), ...varint(value)]);
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    return Buffer.concat([Uint8Array.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]);
  });
  return Buffer.concat(parts);
}

const elementTypes = { float32: 1, uint8: 2 } as const;
type ElementType = keyof typeof elementTypes;
/** A number, or a name for an axis of any length. */
type Axis = number | string;

/** ValueInfoProto. */
function valueInfo(name: string, type: ElementType, axes: readonly Axis[]): Uint8Array {
  const shape = message(
    ...axes.map((axis): Field => [1, typeof axis === 'number' ? message([1, axis]) : message([2, axis])]),
  );
  const tensor = message([1, elementTypes[type]], [2, shape]);
  return message([1, name], [2, message([1, tensor])]);
}

/** TensorProto with raw data. */
function constant(name: string, dims: readonly number[], values: readonly number[]): Uint8Array {
  const data = Float32Array.from(values);
  return message(
    ...dims.map((length): Field => [1, length]),
    [2, elementTypes.float32],
    [8, name],
    [9, new Uint8Array(data.buffer)],
  );
}

function node(operator: string, inputs: readonly string[], output: string, ...attributes: Uint8Array[]) {
  return message(
    ...inputs.map((name): Field => [1, name]),
    [2, output],
    [4, operator],
    ...attributes.map((part): Field => [5, part]),
  );
}

/** AttributeProto of a whole number. */
function attribute(name: string, value: number): Uint8Array {
  return message([1, name], [3, value], [20, 2]);
}

interface Graph {
  readonly inputs: readonly Uint8Array[];
  readonly outputs: readonly Uint8Array[];
  readonly nodes: readonly Uint8Array[];
  readonly constants: readonly Uint8Array[];
}

function model({ inputs, outputs, nodes, constants }: Graph): Uint8Array {
  const graph = message(
    ...nodes.map((part): Field => [1, part]),
    [2, 'graph'],
    ...constants.map((part): Field => [5, part]),
    ...inputs.map((part): Field => [11, part]),
    ...outputs.map((part): Field => [12, part]),
  );
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 17])]);
}

const actions = 16;

/** logits = state * weights + bias. [fields, 16], [16] */
export function stateModel(
  fields: number,
  weights: readonly number[],
  bias: readonly number[],
  batch: Axis = 'N',
): Uint8Array {
  return model({
    inputs: [valueInfo('state', 'float32', [batch, fields])],
    outputs: [valueInfo('logits', 'float32', [batch, actions])],
    nodes: [node('Gemm', ['state', 'weights', 'bias'], 'logits')],
    constants: [constant('weights', [fields, actions], weights), constant('bias', [actions], bias)],
  });
}

/** logits = mean over the picture * weights + bias. [16], [16] */
export function imageModel(
  type: 'float32' | 'uint8',
  shape: readonly Axis[],
  weights: readonly number[],
  bias: readonly number[],
): Uint8Array {
  return model({
    inputs: [valueInfo('pixels', type, shape)],
    outputs: [valueInfo('value', 'float32', ['N', 1]), valueInfo('logits', 'float32', ['N', actions])],
    nodes: [
      node('Cast', ['pixels'], 'float', attribute('to', elementTypes.float32)),
      node('Flatten', ['float'], 'flat'),
      // Opset 17 takes the axes as an attribute.
      node('ReduceMean', ['flat'], 'value', message([1, 'axes'], [8, 1], [20, 7])),
      node('MatMul', ['value', 'weights'], 'scaled'),
      node('Add', ['scaled', 'bias'], 'logits'),
    ],
    constants: [constant('weights', [1, actions], weights), constant('bias', [actions], bias)],
  });
}
