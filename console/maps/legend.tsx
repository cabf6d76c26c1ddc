import classes from './maps.module.css';

/** Meanings of the marks of a map. */
export function Legend() {
  return (
    <p className={classes.legend}>
      Fill: worst event, as in lists. Thick outline: probable cause. Dashed: fails too, without an event. Double: saved
      by redundancy. An arrow goes from what fails first to what depends on it.
    </p>
  );
}
