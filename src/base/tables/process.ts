/** The process that opens tables of others. */
import { LimitedProcess } from '../foreign/limited-process.ts'
import type { TableReaders } from './thread.ts'

export const tableProcess = new LimitedProcess<TableReaders>('./thread', import.meta.url)
