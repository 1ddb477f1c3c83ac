import type { Dimension } from './dimensions.ts'
import { JUDGED_DIMENSIONS, type JudgedDimension } from './vbench2.ts'

const GRIT = 'needs GRiT among the networks (roles grit-*), or a judge'

const JUDGE = 'needs a judge'

/** Why a dimension without a measure has none: what one would have to bring. */
export const NEEDS: Readonly<Record<Dimension, string>> = {
  subject_consistency: 'needs DINO ViT-B/16 among the networks (role dino)',
  background_consistency: 'needs CLIP ViT-B/32 among the networks (role clip-b32-vision)',
  temporal_flickering: 'needs the tier exact',
  motion_smoothness: 'needs AMT-S among the networks (role amt), or the tier proxy',
  dynamic_degree: 'needs RAFT among the networks (role raft), or the tier proxy',
  aesthetic_quality:
    'needs CLIP ViT-L/14 and the aesthetic head among the networks (roles clip-l14-vision and aesthetic-head)',
  imaging_quality: 'needs MUSIQ among the networks (role musiq), or the tier proxy',
  object_class: GRIT,
  multiple_objects: GRIT,
  human_action: 'needs UMT ViT-L/16 among the networks (role umt), or a judge',
  color: GRIT,
  spatial_relationship: GRIT,
  scene: 'needs Tag2Text among the networks (roles tag2text-*), or a judge',
  temporal_style: 'needs ViCLIP among the networks (roles viclip-vision and viclip-text), or a judge',
  appearance_style: 'needs CLIP ViT-B/32 among the networks (roles clip-b32-vision and clip-b32-text), or a judge',
  overall_consistency: 'needs ViCLIP among the networks (roles viclip-vision and viclip-text), or a judge',
  camera_motion: 'needs the published evaluator (--with-published), or the tier proxy',
  i2v_subject: 'needs DINO ViT-B/16 among the networks (role dino), and the images',
  ...(Object.fromEntries(JUDGED_DIMENSIONS.map((name) => [name, JUDGE])) as Record<JudgedDimension, string>),
  i2v_background: 'needs DreamSim among the networks (role dreamsim), and the images',
}
