// What a program on Node imports from the package. `rtsafe/kernels` has what a page can use.
export * from '../kernels/index.ts';
export {
  type BatchEnvironmentOptions,
  type EnvironmentWorld,
  openBatchEnvironment,
  type RouteEpisode,
} from './environment/openBatchEnvironment.ts';
export { RunError, UsageError } from './errors.ts';
export { type Action, actionCode, actionFromCode } from './policies/actions.ts';
export { greedyAction } from './policies/greedy.ts';
