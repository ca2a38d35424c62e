import { openBatchEnvironment } from './src/host/environment/openBatchEnvironment.ts';
import { randomU32 } from './src/kernels/random.ts';
import { greedyAction } from './src/host/policies/greedy.ts';
const cpu=()=>{const u=process.cpuUsage(); return (u.user+u.system)/1e6;};
const n=Number(process.argv[2]??1024), policy=process.argv[3]??'greedy', mode=(process.argv[4]??'next-step') as 'next-step';
let t=performance.now(), c=cpu();
const env = await openBatchEnvironment({ numEnvs: n, latency: 'fixed:3', adapter: 'lavapipe', autoresetMode: mode, ...(process.argv[5]?{imagePixels:Number(process.argv[5])}:{}) });
let { observations, infos } = await env.reset({ seed: 1 });
const actions=new Uint8Array(n);
const act=(i:number)=>{for(let e=0;e<n;e++){ if(policy==='random'){actions[e]=1+randomU32(i,e,0,0)%16;continue;} const r=env.batch.world.routeList[infos.route[e]!]!; const g=infos.subgoal[e]!; const s=env.summary; actions[e]=greedyAction(s.get(e,'x'),s.get(e,'y'),s.get(e,'heading'),r.points[2*g]!,r.points[2*g+1]!);} };
act(0); await env.step(actions);
console.log('ready', ((performance.now()-t)/1000).toFixed(1), 'cpu', (cpu()-c).toFixed(1));
const o = env.batch;
const steps=Number(process.argv[6]??12);
const rows:string[]=[];
let total=0, tc=0;
t=performance.now(); c=cpu();
for(let i=1;i<=steps;i++){ act(i); const r=await env.step(actions); for(let e=0;e<n;e++) total+=r.infos.decided[e]!; }
const w=(performance.now()-t)/1000; tc=cpu()-c;
console.log(`${policy} ${mode} ${n}: ${total} decisions, ${(total/w).toFixed(0)}/s wall, ${(total/tc).toFixed(0)}/CPU s`);
// the same decisions on the bare batch
c=cpu(); t=performance.now(); let d=0;
for(let i=1;i<=steps;i++){ act(i+steps); for(let e=0;e<n;e++) if (o.summary.get(e,'status')===1) {o.decide(e,actions[e]!,300);d++;} await o.advance(); }
console.log(`bare batch: ${d} decisions, ${(d/((performance.now()-t)/1000)).toFixed(0)}/s wall, ${(d/(cpu()-c)).toFixed(0)}/CPU s`);
await env.close();
