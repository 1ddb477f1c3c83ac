// Run with: node --test
import test from 'node:test'
import { loadSuite, suiteChecks } from 'sightline/testing'

const suite = await loadSuite('./bearings.ts')
for (const { name, run } of suiteChecks(suite)) test(name, run)
