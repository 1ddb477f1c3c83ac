/** A small object in the layout of PartNet-Mobility, for tests. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A box as OBJ, in the dataset's axes: y up, front +z. */
function box(size: readonly number[], center: readonly number[]): string {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
    [0, 1, 2].map((k) => center[k]! + (((i >> k) & 1) - 0.5) * size[k]!).join(' '),
  )
  const faces = ['1 2 4 3', '5 7 8 6', '1 5 6 2', '3 4 8 7', '1 3 7 5', '2 6 8 4']
  return `${corners.map((corner) => `v ${corner}`).join('\n')}\n${faces.map((face) => `f ${face}`).join('\n')}\n`
}

/** Writes a cabinet with a door as object 45001 below `root`. */
export async function writePartNet(root: string): Promise<void> {
  const folder = join(root, '45001')
  await mkdir(join(folder, 'textured_objs'), { recursive: true })
  // Width along x, height along y, depth along z.
  await writeFile(join(folder, 'textured_objs/body.obj'), box([1, 0.8, 0.5], [0, 0, 0]))
  await writeFile(join(folder, 'textured_objs/door.obj'), box([0.5, 0.8, 0.02], [0.25, 0, 0.26]))
  await writeFile(join(folder, 'semantics.txt'), 'link_0 hinge rotation_door\nlink_1 heavy furniture_body\n')
  await writeFile(join(folder, 'meta.json'), '{"model_cat": "StorageFurniture"}')
  const visual = (file: string, xyz: string): string =>
    `<visual><origin xyz="${xyz}"/><geometry><mesh filename="textured_objs/${file}"/></geometry></visual>`
  await writeFile(
    join(folder, 'mobility.urdf'),
    `<?xml version="1.0"?><robot name="partnet_1"><link name="base"/>
    <link name="link_0">${visual('door.obj', '-0.5 0 -0.25')}</link><link name="link_1">${visual('body.obj', '0 0 0')}</link>
    <joint name="joint_0" type="revolute"><origin xyz="0.5 0 0.25"/><axis xyz="0 1 0"/><child link="link_0"/><parent link="link_1"/><limit lower="0" upper="1.57"/></joint>
    <joint name="joint_1" type="fixed"><origin rpy="1.570796326794897 0 -1.570796326794897" xyz="0 0 0"/><child link="link_1"/><parent link="base"/></joint></robot>`,
  )
}
