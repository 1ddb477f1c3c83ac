import { httpSource } from './data/http.ts'
import { mount } from './mount.tsx'

mount(httpSource)
