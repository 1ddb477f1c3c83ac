export { bestView } from './best-view.ts'
export { type Film, film, type FilmOptions } from './film.ts'
export { planTour, type Tour, type TourFrame, type TourOptions } from './tour.ts'
export { chooseViewpoints, type ViewpointOptions, type Viewpoints } from './viewpoints.ts'
