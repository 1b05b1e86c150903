//! Serves `activities.update`.

service::main!(activities::UpdateActivities);
