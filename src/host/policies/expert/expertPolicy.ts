// `expert`: an A* policy with privileged state. It knows where walkers will be, when signals change and what its thoughts
// are charged, and plans over the sixteen actions under that.
import type { Policy, PolicyRequest } from '../policy.ts';
import { Planner } from './planner.ts';

function makeExpert(): Policy {
  const planner = new Planner();
  const act = ({ state, decision }: PolicyRequest): number => {
    if (state === undefined) throw new Error('expert: the request holds no state');
    return planner.plan(state, decision);
  };
  return {
    name: 'expert',
    wantsState: true,
    decide: (requests) => requests.map((request) => ({ action: act(request) })),
  };
}

export const expertPolicy: Policy = makeExpert();
