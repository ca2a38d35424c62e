// What a program on Node imports from the package. `rtsafe/kernels` has what a page can use.
export * from '../kernels/index.ts';
export {
  type BatchEnvironmentOptions,
  type EnvironmentWorld,
  openBatchEnvironment,
  type RouteEpisode,
} from './environment/openBatchEnvironment.ts';
export { type Action, actionCode, actionFromCode } from './episodes/actions.ts';
export { RunError, UsageError } from './errors.ts';
export { greedyAction } from './policies/greedy.ts';
