/** Names of the formats of training data, for the command line, which loads nothing else. */
export const DATA_FORMATS = ['sharegpt', 'parquet', 'webdataset'] as const
export type DataFormat = (typeof DATA_FORMATS)[number]
