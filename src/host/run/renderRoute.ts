// Pictures along a route: the greedy policy walks it, and what the agent sees is kept every few decisions.
import { BatchSimulator, status } from '../../kernels/batchSimulator.ts';
import { Camera } from '../../kernels/camera/camera.ts';
import type { Images } from '../../kernels/camera/rasteriser.ts';
import type { CameraRig } from '../../kernels/camera/rig.ts';
import type { GpuContext } from '../../kernels/device.ts';
import { classBits, type Difficulty, difficulties } from '../episodes/difficulties.ts';
import { episodeSeed } from '../episodes/episodeSeed.ts';
import { renderAnnotated } from '../images/agentImages.ts';
import { compileCameraScene } from '../images/cameraScene.ts';
import { greedyAction } from '../policies/greedy.ts';
import { compileRules } from '../profiles/compile.ts';
import { loadProfile } from '../profiles/load.ts';
import { buildCity } from '../scenes/city.ts';
import { compileWorld } from '../scenes/compile.ts';
import type { Scene } from '../scenes/schema.ts';
import { readShader } from '../shaderFiles.ts';

export interface WalkOptions {
  readonly scene: Scene;
  readonly route: number;
  readonly difficulty: Difficulty;
  readonly seed: number;
  readonly rig: CameraRig;
  /** Pictures to take, and decisions from one to the next. */
  readonly frames: number;
  readonly decisionsBetween: number;
  readonly markers: boolean;
  /** Called after each picture. */
  readonly onFrame?: () => void;
}

/** What a decision of the walk is charged: a second, so that the world moves while the agent thinks. */
const thoughtCentiseconds = 100;

/** Walks a route greedily from its start and renders the agent's view; fewer pictures when the episode ends before. */
export async function renderWalk(context: GpuContext, options: WalkOptions): Promise<Images> {
  const { rig, seed, difficulty, frames } = options;
  const city = buildCity(options.scene);
  const world = compileWorld([city]);
  const place = world.routeList.findIndex(({ id }) => id === options.route);
  const route = world.routeList[place]!;
  const batch = await BatchSimulator.create(context, {
    shaders: readShader,
    world,
    rules: [compileRules(loadProfile('rt-safe'))],
    envCount: 1,
  });
  const camera = await Camera.create(context, batch, {
    shaders: readShader,
    scene: compileCameraScene([city]),
    rig,
    viewCapacity: 1,
  });
  const { percent, speedChoices } = difficulties[difficulty];
  batch.reset([
    {
      env: 0,
      route: place,
      rules: 0,
      mode: 'realtime',
      seed: episodeSeed(seed, city.name, route.id),
      maxDecisions: route.maxDecisions,
      percent,
      speedChoices,
      classes: classBits(difficulty, []),
    },
  ]);
  await batch.advance();
  const read = (member: string) => batch.summary.get(0, member);
  const pictures: Images[] = [];
  while (pictures.length < frames) {
    pictures.push(
      await (options.markers ? renderAnnotated(batch, camera, [0]) : camera.render([{ env: 0 }])),
    );
    options.onFrame?.();
    for (
      let decision = 0;
      decision < options.decisionsBetween && read('status') === status.awaiting;
      decision++
    ) {
      const subgoal = read('subgoal') * 2;
      const [goalX, goalY] = [route.points[subgoal]!, route.points[subgoal + 1]!];
      batch.decide(0, greedyAction(read('x'), read('y'), read('heading'), goalX, goalY), thoughtCentiseconds);
      await batch.advance();
    }
    if (read('status') !== status.awaiting) break;
  }
  await camera.destroy();
  await batch.destroy();
  const bytes = rig.width * rig.height * 4;
  const colour = new Uint8Array(pictures.length * bytes);
  for (const [order, picture] of pictures.entries()) colour.set(picture.colour, order * bytes);
  const { width, height } = rig;
  return { count: pictures.length, width, height, colour, depth: undefined, segmentation: undefined };
}
