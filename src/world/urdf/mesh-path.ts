/** The file that a robot's mesh names. A robot may come from anywhere: what it names must lie in its own folder. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { UserError } from '../../base/errors.ts'

/** `package://name/meshes/a.obj`, absolute and relative names, as a path inside of `folder`; else a `UserError`. */
export function meshPath(filename: string, folder: string): string {
  const root = resolve(folder)
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(filename)
  let name = filename.replaceAll('\\', '/')
  if (scheme) {
    if (scheme[1]!.toLowerCase() === 'package') name = name.slice(scheme[0].length).replace(/^[^/]*\//, '')
    else if (scheme[1]!.toLowerCase() === 'file') name = name.slice(scheme[0].length)
    else throw new UserError(`The mesh "${filename}" is not a file; only files beside the URDF are read.`)
  }
  const path = resolve(root, name)
  const inside = relative(root, path)
  if (name.includes('\0') || inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..')
    throw new UserError(`The mesh "${filename}" lies outside of the folder ${root} and is not read.`, {
      hint: 'Put the meshes beside the URDF file.',
    })
  return path
}
