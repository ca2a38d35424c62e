// The package names only its CommonJS build's types, but Node can import only this file of it.
declare module 'wgsl_reflect/wgsl_reflect.module.js' {
  export * from 'wgsl_reflect';
}
