import { openGpu } from './src/host/adapters/openGpu.ts';
import { readShader as rs } from './src/host/shaderFiles.ts';
import { StateObserver } from './src/kernels/environment/stateObserver.ts';
import { BatchSimulator } from './src/kernels/batchSimulator.ts';
import { buildCity } from './src/host/scenes/city.ts';
import { compileWorld } from './src/host/scenes/compile.ts';
import { loadBundledScene } from './src/host/scenes/load.ts';
import { loadProfile } from './src/host/profiles/load.ts';
import { compileRules } from './src/host/profiles/compile.ts';
const cpu=()=>{const u=process.cpuUsage(); return (u.user+u.system)/1e6;};
const { context } = await openGpu('lavapipe');
const world = compileWorld([buildCity(loadBundledScene('rt10'))]);
const batch = await BatchSimulator.create(context,{shaders:rs,world,rules:[compileRules(loadProfile('rt-safe'))],envCount:16});
for (const strip of process.argv.slice(2)) {
  const lib=(p:string)=>{let t=rs(p); if(p==='observe.wgsl') for(const s of strip.split('@@')) if(s) { const [a,b='']=s.split('=>'); if(!t.includes(a!)) throw new Error(a); t=t.replaceAll(a!,b);} return t;};
  const o = await StateObserver.create(context, lib, batch);
  const c=cpu();
  await o.observe([0,1],new Float32Array(16*StateObserver.fieldCount),new Uint8Array(256));
  console.log(strip||'all', (cpu()-c).toFixed(2));
  await o.destroy();
}
await batch.destroy(); await context.close();
