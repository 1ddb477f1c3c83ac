/** Where the rows of a suite's file are, and which column is what. */
import { z } from 'zod'
import { TABLE_FORMATS } from '../../suite.ts'
import { columnName, MAX_LIST, pattern, template, when } from './basics.ts'

const glob = z.string().min(1).max(1000)
const name = z.string().regex(/^[\w.-]{1,100}$/)

const hub = z.strictObject({
  dataset: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/)
    .describe('owner/name'),
  revision: z
    .string()
    .regex(/^[0-9a-f]{7,40}$/)
    .optional()
    .describe('commit. Default: the newest one, which is recorded'),
  config: name.optional().describe('the configuration, or subset, of the dataset'),
  split: name.optional().describe('test, validation …: its Parquet files are the tables, if data.files names none'),
  files: z.array(glob).min(1).max(100).optional().describe('what to download. Default: the tables, and all they name'),
})

export const dataSchema = z
  .strictObject({
    files: z
      .union([glob, z.array(glob).min(1).max(MAX_LIST)])
      .optional()
      .describe('tables, relative to the data folder; * stands for any part of a file name'),
    format: z
      .enum([...TABLE_FORMATS, 'folder'])
      .optional()
      .describe(
        'default: from the file name. folder: each file in it is a row, with the columns path, folder, name and ending',
      ),
    name: name.optional().describe('of the dataset, for data get. Default: that of the suite'),
    get: z.string().max(1000).optional().describe('how to get the data, if they are not on the Hub'),
    where: when.optional(),
    derive: z
      .record(columnName, z.strictObject({ from: template.describe('column or {template}'), pattern }))
      .optional()
      .describe('more columns: the first group of a regular expression; empty where it does not match'),
    paths: z
      .record(z.string().max(200), z.string().max(200))
      .optional()
      .describe('beginnings of the paths of images and videos in the data, and where these are in the data folder'),
    hub: hub.optional().describe('the dataset on the Hugging Face Hub that the files come from'),
  })
  .refine(({ files, hub: from }) => files !== undefined || from?.split !== undefined, {
    error: 'needs files, or the split of a dataset on the Hub',
  })
  .describe('where the rows are')

const media = z.union([template, z.array(template).min(1).max(64)]).optional()

export const columnsSchema = z
  .strictObject({
    id: template.optional().describe('column or {template}; default: the number of the row'),
    question: columnName.optional().describe('{question} in the prompt'),
    options: z
      .union([columnName, z.array(columnName).min(2).max(26)])
      .optional()
      .describe('a column with a list or with text such as "A. left B. right", or one column per option'),
    answer: columnName.optional().describe('the ground truth'),
    mask: columnName.optional().describe('the ground truth as an image, for written: mask'),
    cluster: template
      .optional()
      .describe('column or {template}: rows with the same value share a scene. Default: the first image or video'),
    labels: z
      .record(z.string().regex(/^[\w-]{1,60}$/), template)
      .default({})
      .describe('results are grouped by these'),
    images: media.describe('columns with images, lists of images or paths, or {templates} of paths'),
    video: media.describe('columns or {templates} with paths of videos, or with lists of their frames'),
    sound: media.describe('columns or {templates} with paths of WAV or MP3 files'),
    width: columnName.optional().describe('width of the image in pixels, to convert points and boxes'),
    height: columnName.optional(),
  })
  .refine(({ answer, mask }) => answer !== undefined || mask !== undefined, { error: 'needs answer or mask' })
  .describe('which column is what')
